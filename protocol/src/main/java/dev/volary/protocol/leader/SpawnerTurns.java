// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/** Takes spawners in turn, each again after all others. */
public final class SpawnerTurns {
    private Optional<WorkerId> last = Optional.empty();

    /**
     * The one after that which was taken last; the first one if that is gone.
     *
     * @param others at least one
     */
    public Member next(List<Member> others) {
        int before = last.map(id -> others.stream().map(Member::id).toList().indexOf(id))
                .orElse(-1);
        Member next = others.get((before + 1) % others.size());
        last = Optional.of(next.id());
        return next;
    }
}

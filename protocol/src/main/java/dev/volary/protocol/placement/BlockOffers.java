// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * Blocks without a daemon are offered to the other spawners in turn, one in each retry period; first to one whose daemons find
 * the blocks' copies. A group whose daemons have too many blocks asks for a standby in the same way, less often.
 */
public final class BlockOffers {
    /** Retry periods between two requests for a standby. */
    private static final int PATIENCE = 10;

    private final Member self;
    private final long retry;
    private Optional<WorkerId> asked = Optional.empty();
    private boolean offering;
    private long askedAt = Long.MIN_VALUE / 2;

    public BlockOffers(Member self, Duration retry) {
        this.self = self;
        this.retry = retry.toNanos();
    }

    /**
     * @param crowded whether a standby would be of use
     * @param parked blocks without a daemon
     * @param entries the newest of them
     * @param copies of them that are known
     * @param buddies owners of groups that share their holders with this one
     */
    public void tick(
            boolean crowded,
            List<Integer> parked,
            List<BlockAssignment> entries,
            List<BackupVersion> copies,
            List<WorkerId> buddies,
            NavigableSet<WorkerId> others,
            SpawnerTurn turn) {
        boolean urgent = !parked.isEmpty();
        offering &= urgent;
        if (others.isEmpty() || !(urgent || crowded)) {
            return;
        }
        long pause = urgent ? retry : PATIENCE * retry;
        if (turn.now() >= askedAt + pause) {
            WorkerId higher = others.higher(asked.orElse(self.id()));
            Optional<WorkerId> buddy = offering || !urgent
                    ? Optional.empty()
                    : buddies.stream().filter(others::contains).findFirst();
            WorkerId next = buddy.orElse(higher == null ? others.first() : higher);
            offering = urgent;
            asked = Optional.of(next);
            askedAt = turn.now();
            turn.send(next, new TakeoverMessage.BlocksOffered(self, parked, entries, copies));
        }
        turn.wakeAt(askedAt + pause);
    }
}

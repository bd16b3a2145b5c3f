// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps the parts that a job may still need on two spawners: the leader and another one. Daemons bring each part to both, but either
 * may be replaced before the parts are of no use any more. So both are asked whether they hold all parts, and copy those that they
 * lack; again whenever one is lost. A spawner that cannot is followed by the next one after a pause.
 */
final class PartCopies {
    /** In retry periods: parts of a step that is over sooner need no copies, and a spawner that failed needs time. */
    private static final int PAUSE = 5;

    /**
     * The parts of a stored snapshot.
     *
     * @param parts all of them
     */
    record Stored(long sid, List<SnapshotMessage.StoredPart> parts) {
        Stored {
            parts = List.copyOf(parts);
        }
    }

    private final Member self;
    private final long pause;
    private final Set<WorkerId> holders = new TreeSet<>();
    private final Set<WorkerId> asked = new TreeSet<>();
    private OptionalLong sid = OptionalLong.empty();
    private final SpawnerTurns turns = new SpawnerTurns();
    private long nextAt;

    PartCopies(Member self, Duration retry) {
        this.self = self;
        this.pause = retry.multipliedBy(PAUSE).toNanos();
    }

    void held(SpawnerEvent.PartsHeld held) {
        if (isOf(held.sid()) && asked.remove(held.by())) {
            holders.add(held.by());
        }
    }

    void failed(SpawnerEvent.PartsNotHeld failed, long now) {
        if (isOf(failed.sid()) && asked.remove(failed.by())) {
            nextAt = now + pause;
        }
    }

    /** A spawner is dead, with all that it held. */
    void lost(WorkerId spawner) {
        holders.remove(spawner);
        asked.remove(spawner);
    }

    /**
     * Asks those that may lack parts.
     *
     * @param newest the parts that the job may need
     * @param others living spawners, the preferred ones first
     */
    void tick(Stored newest, List<Member> others, SpawnerTurn turn) {
        if (!isOf(newest.sid())) {
            sid = OptionalLong.of(newest.sid());
            holders.clear();
            asked.clear();
            nextAt = turn.now() + pause;
        }
        boolean isHere = isAskedOrHolds(self);
        boolean isElsewhere = others.isEmpty() || others.stream().anyMatch(this::isAskedOrHolds);
        if (isHere && isElsewhere) {
            return;
        }
        if (turn.now() < nextAt) {
            turn.wakeAt(nextAt);
            return;
        }
        if (!isHere) {
            ask(newest, self, turn);
        }
        if (!isElsewhere) {
            ask(newest, turns.next(others), turn);
        }
    }

    private void ask(Stored newest, Member by, SpawnerTurn turn) {
        asked.add(by.id());
        turn.add(new SpawnerAction.HoldParts(newest.sid(), newest.parts(), by));
    }

    private boolean isAskedOrHolds(Member spawner) {
        return asked.contains(spawner.id()) || holders.contains(spawner.id());
    }

    private boolean isOf(long ofSnapshot) {
        return sid.isPresent() && sid.getAsLong() == ofSnapshot;
    }

    int entries() {
        return holders.size() + asked.size();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Copies a complete result to one other spawner, so that the loss of the leader does not lose it. Asks one spawner at a time,
 * each again after all others. Gives up when no spawner has taken a copy within the patience: a complete result is delivered in
 * any case.
 */
public final class ResultCopy {
    private final long sid;
    private final long pause;
    private final long patience;
    private final long giveUpAt;
    private Optional<WorkerId> asked = Optional.empty();
    private final SpawnerTurns turns = new SpawnerTurns();
    private String why = "no other spawner lives";
    private long nextAt;
    private boolean over;

    /**
     * @param retry pause after a failure
     * @param patience how long spawners are asked
     */
    ResultCopy(long sid, Duration retry, Duration patience, long now) {
        this.sid = sid;
        this.pause = retry.toNanos();
        this.patience = patience.toSeconds();
        this.giveUpAt = now + patience.toNanos();
        this.nextAt = now;
    }

    /** The snapshot whose result is copied. */
    long sid() {
        return sid;
    }

    void copied(SpawnerEvent.ResultCopied copied, SpawnerTurn turn) {
        if (copied.sid() == sid && asked.filter(copied.to()::equals).isPresent()) {
            asked = Optional.empty();
            over = true;
            turn.emit(new JobEvent.ResultCopied(copied.to()));
        }
    }

    void failed(SpawnerEvent.ResultCopyFailed failed, long now) {
        if (failed.sid() == sid && asked.filter(failed.to()::equals).isPresent()) {
            asked = Optional.empty();
            why = failed.reason();
            nextAt = now + pause;
        }
    }

    /** A spawner is dead: the request to it is void. */
    void lost(WorkerId spawner) {
        if (asked.filter(spawner::equals).isPresent()) {
            asked = Optional.empty();
            why = "spawner " + spawner + " was lost while it took a copy";
        }
    }

    /**
     * Asks the next spawner.
     *
     * @param others living spawners, the preferred ones first
     * @return whether the result can be delivered
     */
    boolean tick(List<Member> others, SpawnerTurn turn) {
        if (over) {
            return true;
        }
        if (asked.isPresent()) {
            return false;
        }
        if (turn.now() >= giveUpAt) {
            over = true;
            turn.emit(new JobEvent.ResultNotCopied("no other spawner took a copy within " + patience + " s: " + why));
            return true;
        }
        if (turn.now() >= nextAt && !others.isEmpty()) {
            Member to = turns.next(others);
            asked = Optional.of(to.id());
            turn.add(new SpawnerAction.CopyResult(sid, to));
            return false;
        }
        turn.wakeAt(Math.min(giveUpAt, nextAt > turn.now() ? nextAt : turn.now() + pause));
        return false;
    }
}

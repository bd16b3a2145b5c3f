// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import java.time.Duration;

/**
 * Brings a complete result to the storage that the job names, outside of its workers. Tries again after a failure, with growing
 * pauses. Gives up after a while: the result then stays with the spawners, as if the job named no storage.
 */
public final class ResultPublication {
    /** The first pause after a failure; each further one is twice as long. */
    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final long sid;
    private final long giveUpAt;
    private long pause = FIRST_PAUSE.toNanos();
    private long nextAt;
    private boolean isAsked;
    private boolean isOver;

    /** @param patience how long failures are followed by another attempt */
    ResultPublication(long sid, Duration patience, long now) {
        this.sid = sid;
        this.giveUpAt = now + patience.toNanos();
        this.nextAt = now;
    }

    /** The snapshot whose result is published. */
    long sid() {
        return sid;
    }

    void published(SpawnerEvent.ResultPublished published, SpawnerTurn turn) {
        if (published.sid() == sid && !isOver) {
            isOver = true;
            turn.emit(new JobEvent.ResultPublished(published.location()));
        }
    }

    void failed(SpawnerEvent.PublicationFailed failed, SpawnerTurn turn) {
        if (failed.sid() != sid || isOver) {
            return;
        }
        isAsked = false;
        isOver = turn.now() >= giveUpAt;
        nextAt = turn.now() + pause;
        pause = Math.min(2 * pause, LONGEST_PAUSE.toNanos());
        turn.emit(new JobEvent.PublicationFailed(failed.reason(), isOver));
    }

    /**
     * Publishes when it is time.
     *
     * @return whether the job can end
     */
    boolean tick(SpawnerTurn turn) {
        if (!isOver && !isAsked && turn.now() >= nextAt) {
            isAsked = true;
            turn.add(new SpawnerAction.PublishResult(sid));
        } else if (!isOver && !isAsked) {
            turn.wakeAt(nextAt);
        }
        return isOver;
    }
}

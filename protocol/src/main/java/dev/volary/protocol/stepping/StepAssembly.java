// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import java.time.Duration;
import java.util.Optional;

/**
 * The way of a committed step into the result: its vector is put together, and made durable where the job keeps its result. The storage
 * may not take it now: then it is tried again, with growing pauses, until the patience is over.
 */
final class StepAssembly {
    /** The first pause after a failure; each further one is twice as long. */
    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /** Storage outside of the workers may need a person who mends it. */
    static final Duration PATIENCE = Duration.ofMinutes(15);

    private Optional<CommittedStep> open = Optional.empty();
    private long giveUpAt;
    private long pause;
    private long nextAt = Long.MAX_VALUE;

    /** A step that the result has is committed. */
    void begin(CommittedStep record, SpawnerTurn turn) {
        open = Optional.of(record);
        giveUpAt = turn.now() + PATIENCE.toNanos();
        pause = FIRST_PAUSE.toNanos();
        nextAt = Long.MAX_VALUE;
        turn.add(new SpawnerAction.AssembleStep(record));
    }

    /** Whether a step is not durable yet. */
    boolean isOpen() {
        return open.isPresent();
    }

    /** A step is durable. */
    void done(int step) {
        if (isOf(step)) {
            open = Optional.empty();
        }
    }

    /**
     * A step could not be made durable.
     *
     * @return whether the patience is over
     */
    boolean failed(int step, String reason, SpawnerTurn turn) {
        if (!isOf(step)) {
            return false;
        }
        boolean isOver = turn.now() >= giveUpAt;
        nextAt = turn.now() + pause;
        pause = Math.min(2 * pause, LONGEST_PAUSE.toNanos());
        turn.emit(new JobEvent.PublicationFailed("time step " + step + ": " + reason, isOver));
        return isOver;
    }

    /** Tries again when it is time. */
    void tick(SpawnerTurn turn) {
        if (open.isPresent() && turn.now() >= nextAt) {
            nextAt = Long.MAX_VALUE;
            turn.add(new SpawnerAction.AssembleStep(open.get()));
        } else if (open.isPresent()) {
            turn.wakeAt(nextAt);
        }
    }

    private boolean isOf(int step) {
        return open.filter(record -> record.step() == step).isPresent();
    }
}

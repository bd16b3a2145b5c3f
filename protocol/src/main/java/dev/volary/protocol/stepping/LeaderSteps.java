// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The leader's course through the time steps (docs/explanation/time-steps-and-rollback.md, "time steps"). A step whose vector
 * is certified and durable is written to the log, and committed once it counts there; it is sent to groups until all of their
 * blocks are in the next step.
 *
 * <p>The result may have other steps than the last one: their vectors are put together when they are committed, while the blocks
 * are in the next step. No later step is decided before, so that a leader that is lost meanwhile is followed by one that finds
 * this step in the log and puts it together again.
 */
public final class LeaderSteps {
    private final int steps;
    private final StepLog log;
    private final long retry;
    private final int outputEvery;
    private final Set<WorkerId> reached = new TreeSet<>();
    private Optional<CommittedStep> committed = Optional.empty();
    private final StepAssembly assembly = new StepAssembly();
    private int step;
    private long repeatAt = Long.MAX_VALUE;

    /** @param outputEvery the result has every step whose number this divides; 0 for the last step only */
    public LeaderSteps(JobGraph graph, StepLog log, Duration retry, int outputEvery) {
        this.steps = graph.steps();
        this.log = log;
        this.retry = retry.toNanos();
        this.outputEvery = outputEvery;
        this.step = graph.hasTimeSteps() ? 1 : 0;
    }

    /** The open step; 0 for a stationary problem. */
    public int step() {
        return step;
    }

    /** Whether the open step's result is the job's. */
    public boolean isLast() {
        return step == steps;
    }

    /** Writes what the log holds under this leader's term; false if there is nothing. */
    public boolean resume(SpawnerTurn turn) {
        log.newest().ifPresent(record -> {
            step = record.step();
            write(record, turn);
        });
        return log.newest().isPresent();
    }

    /** The open step's result is certified and durable. */
    public void write(CommittedStep record, SpawnerTurn turn) {
        log.write(record, turn);
    }

    /** Whether what was written last counts. */
    public boolean isWritten() {
        return log.newest().filter(log::counts).isPresent();
    }

    /** What was written counts: it is announced, and the next step is open. */
    public void commit(SpawnerTurn turn) {
        CommittedStep record = log.newest().orElseThrow();
        turn.emit(new JobEvent.StepCommitted(record.step(), steps, record.sid(), record.residual()));
        // A worker that is one commit behind may be reading the parts of the one before.
        committed.ifPresent(before -> turn.add(new SpawnerAction.DeleteParts(before.sid())));
        if (outputEvery > 0 && record.step() % outputEvery == 0) {
            assembly.begin(record, turn);
        }
        committed = Optional.of(record);
        step = record.step() + 1;
        reached.clear();
        repeatAt = turn.now();
    }

    /** The newest step that is committed, as far as this leader has announced it. */
    public Optional<CommittedStep> committed() {
        return committed;
    }

    /** The vector of an output step is put together, and durable. */
    public void assembled(int outputStep) {
        assembly.done(outputStep);
    }

    /**
     * The vector of an output step could not be made durable: it is tried again.
     *
     * @return whether that has taken too long
     */
    public boolean notKept(int outputStep, String reason, SpawnerTurn turn) {
        return assembly.failed(outputStep, reason, turn);
    }

    /** Whether the newest committed step is still being put together for the result: no later one may be decided. */
    public boolean isAssembling() {
        return assembly.isOpen();
    }

    /** Whether there are steps at all. */
    public boolean hasTimeSteps() {
        return steps > 0;
    }

    /** Groups have changed hands: the commit is sent to all again. */
    public void regrouped(long now) {
        reached.clear();
        repeatAt = now;
    }

    /** All blocks of a group have reached a step. */
    public void reached(WorkerId owner, int theirs) {
        if (theirs >= step) {
            reached.add(owner);
        } else {
            reached.remove(owner);
        }
    }

    /** Sends the commit to groups that have blocks in an earlier step. */
    public void tick(boolean open, List<WorkerId> owners, SpawnerTurn turn) {
        if (open) {
            assembly.tick(turn);
        }
        if (!open || committed.isEmpty() || reached.containsAll(owners)) {
            return;
        }
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            for (WorkerId owner : owners) {
                if (!reached.contains(owner)) {
                    turn.send(owner, new StepMessage.StepCommit(committed.get()));
                }
            }
        }
        turn.wakeAt(repeatAt);
    }

    public int entries() {
        return reached.size() + committed.map(record -> record.parts().size()).orElse(0);
    }
}

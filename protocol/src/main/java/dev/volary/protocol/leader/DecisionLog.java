// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.log.ReplicatedLog;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.LogEntry;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The write-ahead rule for what ends a job: the verdict on the last snapshot, its withdrawal, the completed result, or giving up
 * is in the log before it is done. A leader that was deposed, however far it had come, cannot write it; and what is written is
 * completed by the next leader.
 */
public final class DecisionLog {
    private record Held(LogEntry record, SpawnerAction action) {}

    private final ReplicatedLog log;
    private Optional<Held> held = Optional.empty();
    private OptionalLong withdrawing = OptionalLong.empty();
    private OptionalLong withdrawn = OptionalLong.empty();
    private boolean concluded;
    private boolean ended;

    DecisionLog(ReplicatedLog log) {
        this.log = log;
        log.newest(LogEntry.JobGivenUp.class).ifPresent(end -> hold(end, new SpawnerAction.Finish(outcome(end))));
    }

    /** Passes on what may be done at once, and holds back what must be logged first. */
    void take(SpawnerTurn decided, SpawnerTurn turn) {
        turn.wakeAt(decided.wakeUp());
        for (SpawnerAction action : decided.actions()) {
            switch (action) {
                case SpawnerAction.AssembleResult order -> verdict(order);
                case SpawnerAction.Finish finish when !concluded -> end(finish.outcome());
                case SpawnerAction.Finish finish -> complete(finish);
                case SpawnerAction.ReadArbiter read -> turn.add(read);
                case SpawnerAction.CompareAndSet set -> turn.add(set);
                case SpawnerAction.EmitEvent emit -> turn.add(emit);
                case SpawnerAction.DeleteParts delete -> turn.add(delete);
                case SpawnerAction.HoldParts hold -> turn.add(hold);
                case SpawnerAction.SaveCheckpoint save -> turn.add(save);
                case SpawnerAction.AssembleStep step -> turn.add(step);
                case SpawnerAction.CopyResult copy -> turn.add(copy);
                case SpawnerAction.PublishResult publish -> turn.add(publish);
                case WorkerAction shared -> turn.add(shared);
            }
        }
        tick(turn);
    }

    private void verdict(SpawnerAction.AssembleResult order) {
        if (log.newest(LogEntry.JobGivenUp.class).isEmpty()) {
            log(
                    new LogEntry.SnapshotVerdict(
                            order.step(),
                            order.sid(),
                            order.residual(),
                            order.certified(),
                            order.iterations(),
                            order.parts()),
                    order);
        }
    }

    /** The result that the verdict names is complete; or the deadline came while it was not. */
    private void complete(SpawnerAction.Finish finish) {
        switch (finish.outcome()) {
            case JobOutcome.Certified certified -> complete(certified.sid(), finish);
            case JobOutcome.NotConverged late when late.hasResult() -> complete(late.sid(), finish);
            case JobOutcome.NotConverged late -> end(late);
            case JobOutcome.Failed failed -> end(failed);
        }
    }

    /** A leader that was deposed must not say that the job is over: the next one may have withdrawn the verdict. */
    private void complete(long sid, SpawnerAction.Finish finish) {
        if (log.newest(LogEntry.JobGivenUp.class).isEmpty()) {
            log(new LogEntry.ResultComplete(sid), finish);
        }
    }

    /** Parts of the vector that the verdict names are lost: that is logged, and the job may go on once it counts. */
    void withdraw(long sid) {
        if (log.newest(LogEntry.JobGivenUp.class).isEmpty()) {
            log.append(new LogEntry.VerdictWithdrawn(sid));
            withdrawing = OptionalLong.of(sid);
        }
    }

    /** The verdict whose withdrawal counts since the last call, if there is one. */
    OptionalLong withdrawn() {
        OptionalLong news = withdrawn;
        withdrawn = OptionalLong.empty();
        return news;
    }

    /** The job ends without a result. */
    void end(JobOutcome outcome) {
        LogEntry.JobGivenUp end =
                switch (outcome) {
                    case JobOutcome.Failed failed -> new LogEntry.JobGivenUp(0, Optional.of(failed.reason()));
                    case JobOutcome.NotConverged late -> new LogEntry.JobGivenUp(late.sid(), Optional.empty());
                    case JobOutcome.Certified certified ->
                        throw new IllegalStateException("nothing was delivered for " + certified);
                };
        if (log.newest(LogEntry.JobGivenUp.class).isEmpty() && !isComplete()) {
            log(end, new SpawnerAction.Finish(outcome));
        }
    }

    /** Whether the job's result is complete, as the log says: that cannot be taken back by giving up. */
    private boolean isComplete() {
        return log.newest(LogEntry.ResultComplete.class)
                .filter(complete -> log.newest(LogEntry.SnapshotVerdict.class)
                        .filter(verdict -> verdict.sid() == complete.sid())
                        .isPresent())
                .isPresent();
    }

    /** What the log holds now is done. */
    void tick(SpawnerTurn turn) {
        if (held.isPresent() && !ended && log.holds(held.get().record())) {
            SpawnerAction action = held.get().action();
            held = Optional.empty();
            concluded = true;
            ended = action instanceof SpawnerAction.Finish;
            turn.add(action);
        }
        if (withdrawing.isPresent() && log.holds(new LogEntry.VerdictWithdrawn(withdrawing.getAsLong()))) {
            withdrawn = withdrawing;
            withdrawing = OptionalLong.empty();
            concluded = false;
        }
    }

    private void log(LogEntry record, SpawnerAction action) {
        if (log.newest(record.getClass()).filter(record::equals).isEmpty()) {
            log.append(record);
        }
        hold(record, action);
    }

    private void hold(LogEntry record, SpawnerAction action) {
        held = Optional.of(new Held(record, action));
    }

    private static JobOutcome outcome(LogEntry.JobGivenUp end) {
        return end.reason()
                .<JobOutcome>map(JobOutcome.Failed::new)
                .orElseGet(() -> JobOutcome.NotConverged.withoutResult(end.sid()));
    }
}

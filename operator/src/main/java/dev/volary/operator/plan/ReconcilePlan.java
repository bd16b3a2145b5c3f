// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.JobStatusBuilder;
import dev.volary.job.resource.Phase;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.Conditions;
import dev.volary.operator.status.EventReason;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The plan for a job: its next status, the actions to execute then, and when to reconcile again. Confined to one thread. */
public final class ReconcilePlan {
    private final long generation;
    private final Instant now;
    private final List<OperatorAction> actions = new ArrayList<>();
    private JobStatus status;
    private Optional<Duration> requeueAfter = Optional.empty();

    ReconcilePlan(JobObservation observation) {
        this.status = observation.status();
        this.generation = observation.generation();
        this.now = observation.now();
    }

    /** The next status. */
    public JobStatus status() {
        return status;
    }

    /** The actions to execute after the status was written, in order. */
    public List<OperatorAction> actions() {
        return List.copyOf(actions);
    }

    /** When to reconcile again if no event occurs before. */
    public Optional<Duration> requeueAfter() {
        return requeueAfter;
    }

    /** The phase that the job enters, or stays in. */
    public Phase phase() {
        Phase phase = status.phase();
        return phase == null ? Phase.Pending : phase;
    }

    void change(Consumer<JobStatusBuilder> change) {
        status = status.but(change);
    }

    void add(OperatorAction action) {
        actions.add(action);
    }

    /** Reconciles again after this time, or earlier. */
    void requeue(Duration in) {
        Duration wait = in.isNegative() ? Duration.ZERO : in;
        requeueAfter =
                requeueAfter.filter(earlier -> earlier.compareTo(wait) < 0).or(() -> Optional.of(wait));
    }

    void condition(ConditionType type, boolean holds, ConditionReason reason, String message) {
        change(next ->
                next.conditions = Conditions.set(next.conditions, type, holds, reason, message, generation, now));
    }

    /** Enters a phase and adds it to the history with its reason. */
    void enter(Phase phase, ConditionReason reason, String message) {
        if (status.phase() == phase) {
            return;
        }
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        List<JobStatus.Transition> history = new ArrayList<>(status.stateTransitions());
        history.add(
                new JobStatus.Transition(phase, time, reason.name(), message.isEmpty() ? reason.meaning() : message));
        List<JobStatus.Transition> newest =
                history.subList(Math.max(0, history.size() - JobStatus.MAX_TRANSITIONS), history.size());
        change(next -> {
            next.phase = phase;
            next.predictedCompletionTime = null;
            next.stateTransitions = List.copyOf(newest);
            if (phase.isFinal()) {
                next.completionTime = time;
            }
        });
    }

    /** Shows that the job makes no progress until a person acts. */
    void stall(ConditionReason reason, String message) {
        condition(ConditionType.Stalled, true, reason, message);
    }

    /** Shows that the job makes progress again, if it was shown as stalled. */
    void resume() {
        if (Conditions.holds(status.conditions(), ConditionType.Stalled)) {
            condition(ConditionType.Stalled, false, ConditionReason.Progressing, "");
        }
    }

    /** Ends the job as failed. */
    void fail(ConditionReason reason, String message) {
        enter(Phase.Failed, reason, message);
        condition(ConditionType.Failed, true, reason, message);
        condition(ConditionType.Complete, false, ConditionReason.NotComplete, "");
        stall(reason, message);
        condition(ConditionType.Converged, false, ConditionReason.NotConverged, "");
        condition(ConditionType.Ready, false, ConditionReason.Finished, "");
        condition(ConditionType.Degraded, false, ConditionReason.Finished, "");
        condition(ConditionType.Suspended, false, ConditionReason.NotSuspended, "");
        add(new OperatorAction.PublishEvent(EventReason.Failed, message));
    }
}

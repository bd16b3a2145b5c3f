// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.JobStatusBuilder;
import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Conditions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A decision in the making: the next status, what to do then, and when to look again. Confined to one thread. */
public final class ReconcilePlan {
    private final long generation;
    private final Instant now;
    private final List<OperatorAction> actions = new ArrayList<>();
    private JobStatus status;
    private Optional<Duration> again = Optional.empty();

    ReconcilePlan(JobObservation seen) {
        this.status = seen.status();
        this.generation = seen.generation();
        this.now = seen.now();
    }

    /** The status as it is to be written. */
    public JobStatus status() {
        return status;
    }

    /** What to do once it is written, in this order. */
    public List<OperatorAction> actions() {
        return List.copyOf(actions);
    }

    /** When to look again though nothing happens. */
    public Optional<Duration> again() {
        return again;
    }

    Phase phase() {
        Phase phase = status.phase();
        return phase == null ? Phase.Pending : phase;
    }

    void change(Consumer<JobStatusBuilder> change) {
        status = status.but(change);
    }

    void then(OperatorAction action) {
        actions.add(action);
    }

    /** Looks again at a moment, or earlier. */
    void lookAgain(Duration in) {
        Duration wait = in.isNegative() ? Duration.ZERO : in;
        again = again.filter(earlier -> earlier.compareTo(wait) < 0).or(() -> Optional.of(wait));
    }

    void condition(ConditionType type, boolean holds, ConditionReason reason, String message) {
        change(next ->
                next.conditions = Conditions.set(next.conditions, type, holds, reason, message, generation, now));
    }

    /** Moves on to another phase and says why in the history. */
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
            next.stateTransitions = List.copyOf(newest);
            if (phase.isFinal()) {
                next.completionTime = time;
            }
        });
    }
}

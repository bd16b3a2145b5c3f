// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What has become of a job. Times are RFC 3339, in UTC. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record JobStatus(
        @JsonPropertyDescription("The metadata.generation that this status speaks of.") @Nullable Long observedGeneration,

        @JsonPropertyDescription(
                "Where the job stands, in one word. Pending: accepted, objects are being created or something"
                        + " is missing. Forming: workers start and are given blocks. Running: blocks iterate. Suspending: a snapshot"
                        + " is taken, then the pods go. Suspended: no pod is left. Succeeded and Failed are final.")
        @Nullable Phase phase,

        @Size(max = 16) @JsonPropertyDescription(
                "Ready: enough daemons compute. Degraded: fewer workers or copies than wanted. Converged: the"
                        + " certified residual is at most the tolerance. Suspended: no pod is left. ResultAvailable: the"
                        + " spawners have the result of a job that succeeded. Reconciled: the operator's last pass succeeded."
                        + " Failed: the job ended without an answer.")
        List<Condition> conditions,

        @JsonPropertyDescription("When the operator first took the job up.") @Nullable String startTime,

        @JsonPropertyDescription("When the job reached a final phase.") @Nullable String completionTime,

        @JsonPropertyDescription(
                "When the job will probably end, by how its residual falls or its time steps follow each other;"
                        + " absent while nothing can be said.")
        @Nullable String predictedCompletionTime,

        @JsonPropertyDescription("Newest certified residual, in the norm of spec.convergence.") @Nullable String certifiedResidual,

        @JsonPropertyDescription("The tolerance it is compared with, in the same norm.") @Nullable String tolerance,

        @JsonPropertyDescription("Iterations of all blocks together.") @Nullable Long iterations,

        @JsonPropertyDescription("Number of blocks in force.") @Nullable Integer blocks,

        @JsonPropertyDescription("Daemons by what they do.") @Nullable DaemonStatus daemons,

        @LabelSelector @JsonPropertyDescription("Selects the job's daemons, for the scale subresource.") @Nullable String selector,

        @JsonPropertyDescription("Workers replaced so far, by cause.") @Nullable Replacements replacements,

        @JsonPropertyDescription("How many of spec.failurePolicy.maxRetries are used up; disruptions do not count.")
        @Nullable Integer retriesUsed,

        @JsonPropertyDescription("When the newest snapshot became durable.") @Nullable String lastCheckpointTime,

        @JsonPropertyDescription("The newest value of the annotation volary.dev/checkpoint-request that was answered.")
        @Nullable String checkpointRequest,

        @JsonPropertyDescription("Pod of the leader.") @Nullable String leader,

        @JsonPropertyDescription("Whether a client has made the whole result durable on its side.") @Nullable Boolean resultFetched,

        @JsonPropertyDescription("Where the result is outside of the workers: on a volume or in an object store.")
        @Nullable String resultLocation,

        @JsonPropertyDescription("Highest serial given to a pod of each role; serials only grow.") @Nullable Serials serials,

        @JsonPropertyDescription(
                "Pods whose loss is still to be counted: role letter and serials, then r and the container restarts"
                        + " counted so far, as d0-3,d5r2,s0.")
        @Nullable String roster,

        @Size(max = JobStatus.MAX_TRANSITIONS) @JsonPropertyDescription("How the phase changed, oldest first; the oldest are dropped beyond 32.")
        List<Transition> stateTransitions) {

    /** Length of the history. */
    public static final int MAX_TRANSITIONS = 32;

    public JobStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        stateTransitions = stateTransitions == null ? List.of() : List.copyOf(stateTransitions);
    }

    /** The status of a job before its first reconciliation. */
    public static final JobStatus EMPTY = new JobStatus(
            null, null, List.of(), null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null, null, List.of());

    /** This, with some fields changed: {@code status.but(draft -> draft.phase = Phase.Running)}. */
    public JobStatus but(Consumer<JobStatusBuilder> change) {
        JobStatusBuilder draft = new JobStatusBuilder(this);
        change.accept(draft);
        return draft.finished();
    }

    /** How long the job has been active until {@code now}: since it was accepted, suspensions not counted. */
    public Duration active(Instant now) {
        Duration total = Duration.ZERO;
        for (int i = 0; i < stateTransitions.size(); i++) {
            boolean isLast = i + 1 == stateTransitions.size();
            Instant end =
                    isLast ? now : Instant.parse(stateTransitions.get(i + 1).time());
            if (stateTransitions.get(i).phase() != Phase.Suspended) {
                total = total.plus(
                        Duration.between(Instant.parse(stateTransitions.get(i).time()), end));
            }
        }
        return total;
    }

    /** Workers replaced, by cause: asked for by someone, a machine's loss, a fault of the worker. */
    public record Replacements(
            @JsonPropertyDescription("All of them.") int total,

            @JsonPropertyDescription("Workers that left in order: scaled down, deleted or drained with notice.")
            int voluntary,

            @JsonPropertyDescription("Workers lost with their machine or evicted.")
            int disruption,

            @JsonPropertyDescription("Workers that failed themselves; these count towards maxRetries.")
            int failure) {

        /** The three causes, and how many that are. */
        public static Replacements of(int voluntary, int disruption, int failure) {
            return new Replacements(voluntary + disruption + failure, voluntary, disruption, failure);
        }
    }

    /** Highest serials given to pods. */
    public record Serials(
            @JsonPropertyDescription("Of daemons.") long daemons,
            @JsonPropertyDescription("Of spawners.") long spawners) {}

    /** One change of the phase. */
    public record Transition(
            @JsonPropertyDescription("The new phase.") Phase phase,
            @JsonPropertyDescription("When.") String time,
            @JsonPropertyDescription("Why, in one word.") String reason,

            @JsonPropertyDescription("Why, in one sentence.") @Nullable String message) {}
}

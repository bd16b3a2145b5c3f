// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Phase;
import dev.volary.job.spec.JobSpec;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything that a plan for a job depends on.
 *
 * @param job the job, as read from the API
 * @param errors errors of its spec that the CRD does not find, one sentence each
 * @param warnings what may keep pods of this spec from running, one sentence each
 * @param pods its pods
 * @param history what this operator has seen of the pods before
 * @param unused first serials that are certainly unused, by role
 * @param report latest report of its spawners; empty if none answered
 * @param rejection why the latest pod or object could not be created; empty if it could
 * @param failure failure of the latest reconciliation or poll; empty if it succeeded
 * @param hasReconciled whether this operator has completed a reconciliation of the job and a poll of its spawners
 * @param checkpoint answer to the latest checkpoint request; empty if there is none, or it is in the status already
 * @param now time of the observation
 */
public record JobObservation(
        IterativeJob job,
        List<String> errors,
        List<String> warnings,
        List<ObservedPod> pods,
        PodHistory history,
        FreeSerials unused,
        Optional<JobReport> report,
        Optional<PodRejection> rejection,
        Optional<FailedAttempt> failure,
        boolean hasReconciled,
        Optional<SpawnerClients.Checkpoint> checkpoint,
        Instant now) {

    public JobObservation {
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
        pods = List.copyOf(pods);
    }

    /** The spec of the job. */
    public JobSpec spec() {
        return job.getSpec();
    }

    /** The status that was written last. */
    public JobStatus status() {
        return job.getStatus() == null ? JobStatus.EMPTY : job.getStatus();
    }

    /** The phase that was written last. */
    public Phase phase() {
        Phase phase = status().phase();
        return phase == null ? Phase.Pending : phase;
    }

    /** {@code metadata.generation}. */
    public long generation() {
        Long generation = job.getMetadata().getGeneration();
        return generation == null ? 0 : generation;
    }

    /** The job's name. */
    public String name() {
        return job.getMetadata().getName();
    }

    /** Pods of a role with this presence. */
    public Stream<ObservedPod> pods(PodRole role, PodState.Presence presence) {
        return pods.stream()
                .filter(p -> p.pod().role() == role && PodClassifier.state(p).presence() == presence);
    }

    /** Pods that count toward the requested number of workers. */
    public Stream<ObservedPod> counted(PodRole role) {
        return pods(role, PodState.Presence.COUNTED);
    }

    /**
     * The first unused serial of each role; all from it to the highest in the status are free.
     *
     * @param daemons first unused serial of daemons
     * @param spawners first unused serial of spawners
     */
    public record FreeSerials(long daemons, long spawners) {
        /** The first unused serial of a role. */
        public long of(PodRole role) {
            return role == PodRole.DAEMON ? daemons : spawners;
        }
    }
}

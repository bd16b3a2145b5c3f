// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Phase;
import dev.volary.job.spec.JobSpec;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that a decision about a job rests on.
 *
 * @param job as the API has it
 * @param faults of its spec that the API server cannot see, a sentence each
 * @param pods of the job
 * @param unused serials that are reserved in the status and surely not used yet, of each role
 * @param report of its spawners; empty if none was heard lately
 * @param refusal of the API server to create a pod, if the last attempt was refused; or the names that are taken
 * @param failure of the newest pass or poll, if it failed
 * @param works whether this operator has completed a pass over the job and a poll of its spawners
 * @param checkpoint answer to the newest request for a snapshot that is not yet in the status, if one came
 * @param now when
 */
public record JobObservation(
        IterativeJob job,
        List<String> faults,
        List<ObservedPod> pods,
        FreeSerials unused,
        Optional<JobReport> report,
        Optional<PodRejection> refusal,
        Optional<FailedAttempt> failure,
        boolean works,
        Optional<SpawnerClients.Checkpoint> checkpoint,
        Instant now) {

    public JobObservation {
        faults = List.copyOf(faults);
        pods = List.copyOf(pods);
    }

    /** What the manifest says. */
    public JobSpec spec() {
        return job.getSpec();
    }

    /** What was written last. */
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

    /** Pods of a role whose place is held or not. */
    public Stream<ObservedPod> pods(Role role, PodState.Presence place) {
        return pods.stream()
                .filter(p -> p.pod().role() == role && PodClassifier.judge(p).place() == place);
    }

    /** Pods that count among the crew. */
    public Stream<ObservedPod> held(Role role) {
        return pods(role, PodState.Presence.HELD);
    }

    /**
     * The first unused serial of each role; those from it to the highest in the status are free.
     *
     * @param daemons of daemons
     * @param spawners of spawners
     */
    public record FreeSerials(long daemons, long spawners) {
        /** Of a role. */
        public long of(Role role) {
            return role == Role.DAEMON ? daemons : spawners;
        }
    }
}

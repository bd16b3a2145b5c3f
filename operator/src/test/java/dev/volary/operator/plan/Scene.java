// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Phase;
import dev.volary.operator.pod.AnyPod;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.status.TrackedPods;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A job and what is around it, decided on again and again as an operator would. */
final class Scene {
    private final List<ObservedPod> pods = new ArrayList<>();
    private String spec;
    private IterativeJob job;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Optional<JobReport> report = Optional.empty();
    private Optional<PodRejection> refusal = Optional.empty();
    private Optional<FailedAttempt> failure = Optional.empty();
    private boolean works = true;
    private Optional<SpawnerClients.Checkpoint> checkpoint = Optional.empty();
    private List<String> faults = List.of();
    private List<String> warnings = List.of();
    private final Set<PodName> unseen = new HashSet<>();
    private final Set<PodName> countedByOthers = new HashSet<>();
    private long nextDaemon;
    private long nextSpawner;
    private ReconcilePlan last;

    /** @param spec in YAML, below spec; "; " ends a line */
    Scene(String spec) {
        this.spec = spec;
        job = parse(spec, null);
        last = new ReconcilePlan(observation());
    }

    /** Three daemons, a standby, two spawners; formed and iterating. */
    static Scene running() {
        Scene scene = new Scene("daemons: {replicas: 3, standbys: 1}").decide().createdPods();
        return scene.computing().decide();
    }

    private static IterativeJob parse(String spec, @Nullable JobStatus status) {
        IterativeJob job =
                Serialization.unmarshal("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heat, namespace: lab, uid: u1, generation: 1}
                spec:
                  problem: {type: heat2d, parameters: {points: 63}}
                """ + spec.replace("; ", "\n").indent(2), IterativeJob.class);
        job.setStatus(status);
        return job;
    }

    private JobObservation observation() {
        return new JobObservation(
                job,
                faults,
                warnings,
                pods,
                history(),
                new JobObservation.FreeSerials(nextDaemon, nextSpawner),
                report,
                refusal,
                failure,
                works,
                checkpoint,
                now);
    }

    /** What an operator has seen that works alone, unless a test says otherwise. */
    private PodHistory history() {
        JobStatus status = job.getStatus();
        Set<PodName> seen = new HashSet<>(TrackedPods.parse(status == null ? null : status.roster())
                .restartsByPod()
                .keySet());
        seen.removeAll(unseen);
        return new PodHistory(seen, countedByOthers);
    }

    /** As if another operator had created this pod just now. */
    Scene unseen(PodName pod) {
        unseen.add(pod);
        return this;
    }

    /** As if another operator had counted the loss of this pod just now. */
    Scene countedByAnother(PodName pod) {
        countedByOthers.add(pod);
        return this;
    }

    /** Decides and takes the status for written. */
    Scene decide() {
        last = ReconcilePlanner.plan(observation());
        job = parse(spec, last.status());
        return this;
    }

    Scene spec(String yaml) {
        spec = yaml;
        job = parse(yaml, job.getStatus());
        return this;
    }

    /** Takes the pods that were asked for as created and running. */
    Scene createdPods() {
        for (OperatorAction.NewPod pod : created()) {
            pods.add((pod.pod().role() == PodRole.DAEMON
                            ? AnyPod.daemon(pod.pod().serial())
                            : AnyPod.spawner(pod.pod().serial()))
                    .facts());
            if (pod.pod().role() == PodRole.DAEMON) {
                nextDaemon = pod.pod().serial() + 1;
            } else {
                nextSpawner = pod.pod().serial() + 1;
            }
        }
        return this;
    }

    Scene pod(AnyPod pod) {
        disappeared(pod.facts().name());
        pods.add(pod.facts());
        return this;
    }

    Scene disappeared(String name) {
        pods.removeIf(p -> p.name().equals(name));
        return this;
    }

    Scene noPods() {
        pods.clear();
        report = Optional.empty(); // no spawner is left to poll
        return this;
    }

    /** As after a restart of the operator: reserved names count as used. */
    Scene restarted() {
        nextDaemon = serials().daemons() + 1;
        nextSpawner = serials().spawners() + 1;
        return this;
    }

    Scene computing() {
        report = Optional.of(report(JobReport.Stage.RUNNING, null, 1));
        return this;
    }

    Scene noReport() {
        report = Optional.empty();
        return this;
    }

    Scene ended(JobReport.End end) {
        report = Optional.of(report(JobReport.Stage.FINISHED, end, 1));
        return this;
    }

    Scene report(JobReport newest) {
        report = Optional.of(newest);
        return this;
    }

    JobReport report(JobReport.Stage stage, JobReport.@Nullable End end, long iterations) {
        Set<String> busy = pods.stream()
                .map(ObservedPod::name)
                .filter(n -> n.contains("-d-"))
                .sorted()
                .limit(3)
                .collect(Collectors.toSet());
        Set<String> standby = pods.stream()
                .map(ObservedPod::name)
                .filter(n -> n.contains("-d-") && !busy.contains(n))
                .collect(Collectors.toSet());
        return new JobReport(
                stage,
                Optional.ofNullable(end),
                "heat-s-0",
                3e-4,
                100,
                1e-4,
                1,
                iterations,
                3,
                0,
                2,
                busy,
                standby,
                Set.of("heat-s-0"),
                JobReport.Results.NONE,
                Optional.empty(),
                Optional.empty());
    }

    Scene refused(String message) {
        refusal = Optional.of(PodRejection.of(message));
        return this;
    }

    /** The newest pass or poll failed. */
    Scene failed(FailedAttempt attempt) {
        failure = Optional.of(attempt);
        return this;
    }

    /** No attempt fails any more. */
    Scene recovered(boolean hasWorked) {
        failure = Optional.empty();
        works = hasWorked;
        return this;
    }

    Scene checkpoint(boolean taken, String message) {
        checkpoint = Optional.of(new SpawnerClients.Checkpoint(taken, message));
        return this;
    }

    Scene noCheckpoint() {
        checkpoint = Optional.empty();
        return this;
    }

    /** The spawners that answer say where the result is. */
    Scene results(JobReport.Results results) {
        JobReport before = report(JobReport.Stage.FINISHED, null, 1);
        return withReport(before, results, before.checkpointAt());
    }

    /** The spawners report this stage, and where the result is. */
    Scene withReport(JobReport.Stage stage, JobReport.Results results) {
        JobReport before = report(stage, null, 1);
        return withReport(before, results, before.checkpointAt());
    }

    /** The leader reports that a checkpoint was written to the volume. */
    Scene kept(Instant at) {
        JobReport before = report(JobReport.Stage.RUNNING, null, 1);
        return withReport(before, before.results(), Optional.of(at));
    }

    /** The leader predicts this end. */
    Scene predicted(Instant end) {
        JobReport before = report(JobReport.Stage.RUNNING, null, 1);
        return withReport(before, before.results(), before.checkpointAt(), Optional.of(end));
    }

    private Scene withReport(JobReport before, JobReport.Results results, Optional<Instant> checkpointAt) {
        return withReport(before, results, checkpointAt, Optional.empty());
    }

    private Scene withReport(
            JobReport before, JobReport.Results results, Optional<Instant> checkpointAt, Optional<Instant> end) {
        report = Optional.of(new JobReport(
                before.stage(),
                before.outcome(),
                before.leader(),
                before.residual(),
                before.scale(),
                before.tolerance(),
                before.sid(),
                before.iterations(),
                before.blocks(),
                before.parked(),
                before.backups(),
                before.busy(),
                before.standby(),
                before.spawners(),
                results,
                checkpointAt,
                end));
        return this;
    }

    Scene warnings(String... all) {
        warnings = List.of(all);
        return this;
    }

    Scene faults(String... all) {
        faults = List.of(all);
        return this;
    }

    Scene after(Duration time) {
        now = now.plus(time);
        return this;
    }

    JobStatus status() {
        return job.getStatus();
    }

    Phase phase() {
        return Objects.requireNonNull(status().phase());
    }

    JobStatus.Serials serials() {
        return Objects.requireNonNull(status().serials());
    }

    String condition(String type) {
        return status().conditions().stream()
                .filter(c -> c.getType().equals(type))
                .map(c -> c.getStatus() + " " + c.getReason())
                .findFirst()
                .orElse("");
    }

    String message(String type) {
        return status().conditions().stream()
                .filter(c -> c.getType().equals(type))
                .map(c -> c.getMessage())
                .findFirst()
                .orElse("");
    }

    <A extends OperatorAction> List<A> actions(Class<A> kind) {
        return last.actions().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    List<OperatorAction.NewPod> created() {
        return actions(OperatorAction.CreatePods.class).stream()
                .flatMap(a -> a.pods().stream())
                .toList();
    }

    List<String> createdNames() {
        return created().stream().map(p -> p.pod().of("heat")).toList();
    }

    List<String> deletedNames() {
        return actions(OperatorAction.DeletePod.class).stream()
                .map(a -> a.pod().name())
                .toList();
    }

    List<String> stoppedNames() {
        return actions(OperatorAction.StopPod.class).stream()
                .map(a -> a.pod().name())
                .toList();
    }

    Optional<Duration> again() {
        return last.requeueAfter();
    }

    ReconcilePlan last() {
        return last;
    }
}

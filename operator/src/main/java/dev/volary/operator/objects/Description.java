package dev.volary.operator.objects;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.volary.crd.SpecTime;
import dev.volary.crd.api.CheckpointSpec;
import dev.volary.crd.api.ConvergenceSpec;
import dev.volary.crd.api.InputSpec;
import dev.volary.crd.api.IterativeJob;
import dev.volary.crd.api.JobSpec;
import dev.volary.crd.api.RestoreSpec;
import dev.volary.crd.api.ResultSpec;
import dev.volary.crd.api.objects.Names;
import dev.volary.mesh.MeshConfig;
import dev.volary.mesh.job.IterationPace;
import dev.volary.mesh.v1.DetectorKind;
import dev.volary.mesh.v1.FailureDetection;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.SchemeKind;
import dev.volary.mesh.v1.ToleranceNorm;
import dev.volary.mesh.v1.WatchStrategy;
import dev.volary.operator.job.WatchTimes;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the workers of a job are told of it. The operator has no solvers: workers open the problem and find its scale. */
final class Description {
    static final String KEY = "job.json";
    private static final String RESULTS = "/var/spool/volary";
    /** Where a pod sees its inputs, below it by name. */
    static final String INPUTS = "/var/lib/volary/inputs";

    /** Images have to be pulled, nodes to be found: the lead waits as long as the job's own deadlines let it. */
    private static final Duration FORMATION = Duration.ofDays(1);

    private static final Duration HELLO_WAIT = Duration.ofSeconds(5);
    /** Joining a checkpoint store costs seconds of processor time: a shorter job goes without. */
    private static final Duration STORE_AFTER = Duration.ofSeconds(5);

    private Description() {}

    static ConfigMap configMap(IterativeJob job, String version) {
        try {
            return new ConfigMapBuilder()
                    .withMetadata(
                            Owned.meta(job, Names.description(job.getMetadata().getName())))
                    .withData(Map.of(KEY, JsonFormat.printer().print(of(job, version))))
                    .build();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("the job description cannot be printed", e);
        }
    }

    static JobDescription of(IterativeJob job, String version) {
        JobSpec spec = job.getSpec();
        int blocks = blocks(job);
        JobDescription.Builder description = JobDescription.newBuilder()
                .setName(job.getMetadata().getName())
                .setNamespace(job.getMetadata().getNamespace())
                .setUid(job.getMetadata().getUid())
                .setVolaryVersion(version)
                .setProblem(spec.problem().type())
                .setProblemHash(hash(job, blocks))
                .setBlocks(blocks)
                .setScheme(
                        switch (spec.scheme()) {
                            case Asynchronous -> SchemeKind.SCHEME_ASYNCHRONOUS;
                            case Synchronous -> SchemeKind.SCHEME_SYNCHRONOUS;
                        })
                .setDetector(
                        switch (spec.convergence().detector()) {
                            case Snapshot -> DetectorKind.DETECTOR_SNAPSHOT;
                            case TreeVerification -> DetectorKind.DETECTOR_TREE_VERIFICATION;
                        })
                .setCheckProblem(true)
                .setAcceptRisk(spec.convergence().acceptRisk())
                .setBlockAttempts(spec.failurePolicy().blockAttempts())
                .setTolerance(spec.convergence().tolerance())
                .setNorm(
                        spec.convergence().norm() == ConvergenceSpec.Norm.Relative
                                ? ToleranceNorm.NORM_RELATIVE
                                : ToleranceNorm.NORM_ABSOLUTE)
                .setChaosAllowed(spec.chaos().allowed())
                .setExpectedDaemons(spec.daemons().minimum())
                .setWantedDaemons(spec.daemons().computing())
                .setExpectedSpawners(spec.spawnerCount())
                .setFormationMillis(FORMATION.toMillis())
                .setHelloWaitMillis(HELLO_WAIT.toMillis())
                .setResultFolder(RESULTS)
                .setResultCopies(resultCopies(spec))
                .setSeed(hash(job, blocks))
                .setBulkShare(MeshConfig.DEFAULT_BULK_SHARE)
                .setCopies(spec.checkpoint().copies())
                .setCheckpointEvery(every(spec.checkpoint()))
                .setStoreAfterMillis(STORE_AFTER.toMillis())
                .setFailureDetection(watch(spec));
        if (spec.checkpoint().volume() != null) {
            description.setCheckpointFolder(
                    WorkerPod.CHECKPOINTS + "/" + job.getMetadata().getName());
        }
        @Nullable RestoreSpec restore = spec.restoreFrom();
        if (restore != null) {
            description.setRestoreFolder(WorkerPod.RESTORE + "/"
                    + Objects.requireNonNullElse(
                            restore.job(), job.getMetadata().getName()));
        }
        Integer deadline = spec.activeDeadlineSeconds();
        if (deadline != null) {
            description.setDeadlineMillis(Duration.ofSeconds(deadline).toMillis());
        }
        @Nullable String pace = spec.chaos().pace();
        if (pace != null) {
            IterationPace.put(description, IterationPace.EVERYBODY, SpecTime.of("spec.chaos.pace", pace));
        }
        spec.problem()
                .parameters()
                .forEach((name, value) -> description.putParameters(asWritten(name), parameter(value)));
        for (InputSpec input : spec.inputs()) {
            description.putInputs(input.name(), INPUTS + "/" + input.name());
        }
        return description.build();
    }

    private static int blocks(IterativeJob job) {
        Integer given = job.getSpec().blocks();
        if (given != null) {
            return given;
        }
        Integer planned = job.getStatus() == null ? null : job.getStatus().blocks();
        return planned == null ? job.getSpec().daemons().replicas() : planned;
    }

    /** Spawners that have the result before the job ends; a volume keeps it by itself. */
    private static int resultCopies(JobSpec spec) {
        return spec.result().destination() == ResultSpec.Destination.Volume ? 1 : Math.min(2, spec.spawnerCount());
    }

    private static long every(CheckpointSpec checkpoint) {
        return checkpoint.interval().equals("Auto") ? 0 : Long.parseLong(checkpoint.interval());
    }

    private static FailureDetection watch(JobSpec spec) {
        return FailureDetection.newBuilder()
                .setStrategy(
                        switch (spec.failureDetection().strategy()) {
                            case Ring -> WatchStrategy.WATCH_STRATEGY_RING;
                            case RandomMonitors -> WatchStrategy.WATCH_STRATEGY_RANDOM_MONITORS;
                            case RingWithConfirmation -> WatchStrategy.WATCH_STRATEGY_RING_WITH_CONFIRMATION;
                            case Centralised -> WatchStrategy.WATCH_STRATEGY_CENTRALISED;
                        })
                .setWatchers(spec.failureDetection().watchers())
                .setTimeoutMillis(WatchTimes.timeout(spec.failureDetection()).toMillis())
                .build();
    }

    /** Workers with another hash belong to another job, or were told another problem. */
    private static long hash(IterativeJob job, int blocks) {
        String text =
                job.getMetadata().getUid() + "\n" + job.getSpec().problem().type() + "\n"
                        + new TreeMap<>(job.getSpec().problem().parameters()) + "\n" + blocks;
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK lacks SHA-256", e);
        }
    }

    /** kubectl reads YAML 1.1, where a plain {@code n} or {@code y} means false or true, also as a name. */
    private static String asWritten(String name) {
        return switch (name) {
            case "false" -> "n";
            case "true" -> "y";
            default -> name;
        };
    }

    private static ParameterValue parameter(Object value) {
        ParameterValue.Builder builder = ParameterValue.newBuilder();
        switch (value) {
            case Integer i -> builder.setWhole(i);
            case Long l -> builder.setWhole(l);
            case Number n -> builder.setReal(n.doubleValue());
            case Boolean b -> builder.setFlag(b);
            default -> builder.setText(String.valueOf(value));
        }
        return builder.build();
    }
}

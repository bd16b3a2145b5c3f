package dev.volary.cli.run;

import dev.volary.cli.check.CheckedJob;
import dev.volary.cli.check.FailureDetection;
import dev.volary.crd.CheckpointSpec;
import dev.volary.crd.JobSpec;
import dev.volary.mesh.job.IterationPace;
import dev.volary.mesh.v1.DetectorKind;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.SchemeKind;
import dev.volary.mesh.v1.WatchStrategy;
import dev.volary.protocol.watch.WatchConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.zip.CRC32C;

/** Turns a checked manifest into what workers are told of their job. */
final class JobDescriptions {
    private static final Duration FORMATION = Duration.ofSeconds(60);
    private static final Duration HELLO_WAIT = Duration.ofSeconds(5);
    /** Joining a checkpoint store costs seconds of processor time: a shorter job goes without. */
    private static final Duration STORE_AFTER = Duration.ofSeconds(5);
    /** What a benchmark compares with: no copies, and a watch that begins when every job is over. */
    private static final boolean UNGUARDED = "off".equals(System.getenv("VOLARY_FAULT_TOLERANCE"));

    private static final WatchConfig NEVER = WatchConfig.confirmed(2, Duration.ofDays(7));

    private JobDescriptions() {}

    static JobDescription of(CheckedJob checked, RunSettings settings, String version) {
        JobSpec spec = checked.manifest().job().spec();
        JobDescription.Builder job = JobDescription.newBuilder()
                .setName(checked.manifest().job().metadata().name())
                .setNamespace("local")
                .setUid(UUID.randomUUID().toString())
                .setVolaryVersion(version)
                .setProblem(checked.problem().name())
                .setProblemHash(problemHash(checked))
                .setBlocks(checked.decomposition().blocks())
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
                .setAbsoluteTolerance(checked.absoluteTolerance())
                .setScale(checked.model().scale())
                .setExpectedDaemons(spec.daemons().replicas())
                .setExpectedSpawners(spec.spawnerCount())
                .setDeadlineMillis(spec.activeDeadline().map(Duration::toMillis).orElse(0L))
                .setFormationMillis(FORMATION.toMillis())
                .setHelloWaitMillis(HELLO_WAIT.toMillis())
                .setResultFolder(settings.output().toAbsolutePath().toString())
                .setField(checked.model().field())
                .setSeed(settings.seed())
                .setFaults(settings.faults())
                .setBulkShare(settings.pacing())
                .setThreads(settings.threads())
                .setCopies(UNGUARDED ? 0 : spec.copies())
                .setCheckpointEvery(spec.checkpoint()
                        .map(CheckpointSpec::iterations)
                        .orElse(OptionalLong.empty())
                        .orElse(0))
                .setStoreAfterMillis(STORE_AFTER.toMillis())
                .setAcceptRisk(spec.convergence().acceptRisk())
                .setBlockAttempts(spec.blockAttempts());
        int processors = Runtime.getRuntime().availableProcessors();
        job.setFailureDetection(watch(UNGUARDED ? NEVER : FailureDetection.onOneMachine(spec, processors)));
        spec.problem().parameters().forEach((name, value) -> job.putParameters(name, parameter(value)));
        checked.inputs().folders().forEach((name, folder) -> job.putInputs(name, folder.toString()));
        settings.checkpoints().ifPresent(folder -> job.setCheckpointFolder(ofJob(folder, checked)));
        settings.restore().ifPresent(folder -> job.setRestoreFolder(ofJob(folder, checked)));
        spec.chaos().pace().ifPresent(pace -> IterationPace.put(job, IterationPace.EVERYBODY, pace));
        settings.pace().forEach((worker, pace) -> IterationPace.put(job, worker, pace));
        return job.build();
    }

    private static String ofJob(Path folder, CheckedJob checked) {
        return folder.toAbsolutePath()
                .resolve(checked.manifest().job().metadata().name())
                .toString();
    }

    private static dev.volary.mesh.v1.FailureDetection watch(WatchConfig config) {
        return dev.volary.mesh.v1.FailureDetection.newBuilder()
                .setStrategy(
                        switch (config.strategy()) {
                            case RING -> WatchStrategy.WATCH_STRATEGY_RING;
                            case RANDOM_MONITORS -> WatchStrategy.WATCH_STRATEGY_RANDOM_MONITORS;
                            case RING_WITH_CONFIRMATION -> WatchStrategy.WATCH_STRATEGY_RING_WITH_CONFIRMATION;
                            case CENTRALISED -> WatchStrategy.WATCH_STRATEGY_CENTRALISED;
                        })
                .setWatchers(config.watchers())
                .setTimeoutMillis(config.timeout().toMillis())
                .build();
    }

    /** Workers with another hash belong to another job, or were told another problem. */
    private static long problemHash(CheckedJob checked) {
        CRC32C low = new CRC32C();
        String text = checked.problem().name()
                + checked.manifest().job().spec().problem().parameters()
                + checked.model().unknowns()
                + checked.decomposition().blocks();
        low.update(text.getBytes(StandardCharsets.UTF_8));
        return (UUID.randomUUID().getMostSignificantBits() & 0xFFFFFFFF00000000L) | low.getValue();
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

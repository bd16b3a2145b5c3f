// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.description;

import dev.volary.job.spec.ConvergenceSpec;
import dev.volary.job.spec.FailureDetectionSpec;
import dev.volary.job.spec.InputSpec;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.ObjectStoreSpec;
import dev.volary.job.spec.RestoreSpec;
import dev.volary.mesh.job.IterationPace;
import dev.volary.mesh.v1.DetectorKind;
import dev.volary.mesh.v1.FailureDetection;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ObjectStore;
import dev.volary.mesh.v1.ParameterValue;
import dev.volary.mesh.v1.SchemeKind;
import dev.volary.mesh.v1.StoredFile;
import dev.volary.mesh.v1.StoredInput;
import dev.volary.mesh.v1.ToleranceNorm;
import dev.volary.mesh.v1.WatchStrategy;
import dev.volary.protocol.config.FailureDetectorConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes a job's description of its spec. It does not open the problem, so it has the tolerance as the spec gives it: workers find the
 * scale of the residual when they open the problem.
 */
public final class JobDescriptionFactory {
    /** How long a block waits for the first halos of its neighbors. */
    private static final Duration HELLO_WAIT = Duration.ofSeconds(5);

    /** A shorter job goes without backups. */
    private static final Duration STORE_DELAY = Duration.ofSeconds(1);

    private JobDescriptionFactory() {}

    /**
     * The description of a job.
     *
     * @param blocks number of blocks in force
     * @param version of Volary; workers of another one refuse the description
     */
    public static JobDescription of(JobIdentity job, JobSpec spec, int blocks, String version, Deployment deployment) {
        JobDescription.Builder description = JobDescription.newBuilder()
                .setName(job.name())
                .setNamespace(job.namespace())
                .setUid(job.uid())
                .setVolaryVersion(version)
                .setProblem(spec.problem().type())
                .setProblemHash(problemHash(job, spec, blocks))
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
                .setTolerance(spec.convergence().tolerance())
                .setNorm(
                        spec.convergence().norm() == ConvergenceSpec.Norm.Relative
                                ? ToleranceNorm.NORM_RELATIVE
                                : ToleranceNorm.NORM_ABSOLUTE)
                .setAcceptRisk(spec.convergence().acceptRisk())
                .setChaosAllowed(spec.chaos().allowed())
                .setBlockAttempts(spec.failurePolicy().blockAttempts())
                .setExpectedDaemons(spec.daemons().replicas())
                .setExpectedSpawners(spec.spawnerCount())
                .setDeadlineMillis(spec.activeDeadline().map(Duration::toMillis).orElse(0L))
                .setHelloWaitMillis(HELLO_WAIT.toMillis())
                .setCopies(spec.checkpoint().copies())
                .setCheckpointEvery(spec.checkpoint().iterations().orElse(0))
                .setStoreAfterMillis(STORE_DELAY.toMillis())
                .setFailureDetection(failureDetection(spec.failureDetection(), deployment.slowness(spec)));
        spec.problem().parameters().forEach((name, value) -> description.putParameters(name, parameter(value)));
        spec.chaos().paceDuration().ifPresent(pace -> IterationPace.put(description, IterationPace.ALL_WORKERS, pace));
        Optional.ofNullable(spec.initialGuess()).ifPresent(description::setInitialGuess);
        Optional.ofNullable(spec.result().everySteps()).ifPresent(description::setOutputEverySteps);
        ObjectStoreSpec store = spec.result().objectStore();
        if (store != null) {
            description.setResultStore(objectStore(store));
        }
        ObjectStoreSpec checkpoints = spec.checkpoint().objectStore();
        if (checkpoints != null) {
            description.setCheckpointStore(ofJob(objectStore(checkpoints), job.name()));
        }
        RestoreSpec restore = spec.restoreFrom();
        if (restore != null && restore.objectStore() != null) {
            description.setRestoreStore(
                    ofJob(objectStore(restore.objectStore()), Objects.requireNonNullElse(restore.job(), job.name())));
        }
        for (int i = 0; i < spec.inputs().size(); i++) {
            InputSpec input = spec.inputs().get(i);
            if (input.objectStore() != null) {
                description.addStoredInputs(storedInput("spec.inputs[" + i + "]", input, input.objectStore()));
            }
        }
        deployment.complete(description, spec);
        return description.build();
    }

    private static StoredInput storedInput(String field, InputSpec input, ObjectStoreSpec store) {
        StoredInput.Builder stored =
                StoredInput.newBuilder().setName(input.name()).setField(field).setStore(objectStore(store));
        input.files()
                .forEach(file -> stored.addFiles(
                        StoredFile.newBuilder().setName(file.name()).setSha256(file.sha256())));
        return stored.build();
    }

    /** The folder of a job in a store that several jobs use. */
    private static ObjectStore ofJob(ObjectStore store, String job) {
        String prefix = store.getPrefix();
        String folder = prefix.isEmpty() || prefix.endsWith("/") ? prefix + job : prefix + "/" + job;
        return store.toBuilder().setPrefix(folder).build();
    }

    /** All but where a worker finds the credentials. */
    private static ObjectStore objectStore(ObjectStoreSpec spec) {
        return ObjectStore.newBuilder()
                .setEndpoint(Objects.requireNonNullElse(spec.endpoint(), ""))
                .setRegion(Objects.requireNonNullElse(spec.region(), ""))
                .setBucket(spec.bucket())
                .setPrefix(Objects.requireNonNullElse(spec.prefix(), ""))
                .build();
    }

    /**
     * How workers monitor each other.
     *
     * @param slowness as {@link Deployment#slowness}
     */
    public static FailureDetection failureDetection(FailureDetectionSpec spec, double slowness) {
        Duration standard = spec.strategy() == FailureDetectionSpec.Strategy.RandomMonitors
                ? FailureDetectorConfig.phoenix().timeout()
                : FailureDetectorConfig.standard().timeout();
        Duration timeout = spec.timeoutDuration().orElse(Duration.ofMillis(Math.round(standard.toMillis() * slowness)));
        return FailureDetection.newBuilder()
                .setStrategy(
                        switch (spec.strategy()) {
                            case Ring -> WatchStrategy.WATCH_STRATEGY_RING;
                            case RandomMonitors -> WatchStrategy.WATCH_STRATEGY_RANDOM_MONITORS;
                            case RingWithConfirmation -> WatchStrategy.WATCH_STRATEGY_RING_WITH_CONFIRMATION;
                            case Centralised -> WatchStrategy.WATCH_STRATEGY_CENTRALISED;
                        })
                .setWatchers(spec.watchers())
                .setTimeoutMillis(timeout.toMillis())
                .build();
    }

    /** Workers with another hash belong to another job, or received another problem. */
    private static long problemHash(JobIdentity job, JobSpec spec, int blocks) {
        String text = job.uid() + "\n" + spec.problem().type() + "\n"
                + new TreeMap<>(spec.problem().parameters()) + "\n" + blocks;
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK lacks SHA-256", e);
        }
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

// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.description;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.volary.job.manifest.Manifest;
import dev.volary.job.manifest.ManifestException;
import dev.volary.job.spec.JobSpec;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ObjectStore;
import dev.volary.mesh.v1.StoredFile;
import dev.volary.mesh.v1.StoredInput;
import dev.volary.protocol.config.FailureDetectorConfig;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No field of a spec is forgotten: it reaches the workers, a deployment adds it, or it is said here who else uses it. */
class DescriptionCoverageTest {
    /** Fields that workers receive in every deployment, each with a value that is not its default. */
    private static final Map<String, String> TRANSLATED = Map.ofEntries(
            Map.entry("spec.problem.type", "problem: {type: obstacle3d}"),
            Map.entry("spec.problem.parameters", "problem: {type: heat2d, parameters: {points: 64}}"),
            Map.entry("spec.scheme", "scheme: Synchronous"),
            Map.entry("spec.daemons.replicas", "daemons: {replicas: 5}"),
            Map.entry("spec.spawners.replicas", "spawners: {replicas: 3}"),
            Map.entry("spec.convergence.tolerance", "convergence: {tolerance: '1e-7'}"),
            Map.entry("spec.convergence.norm", "convergence: {norm: Absolute}"),
            Map.entry("spec.convergence.detector", "convergence: {detector: TreeVerification}"),
            Map.entry("spec.convergence.acceptRisk", "convergence: {acceptRisk: true}"),
            Map.entry("spec.failureDetection.strategy", "failureDetection: {strategy: Ring}"),
            Map.entry("spec.failureDetection.watchers", "failureDetection: {watchers: 3}"),
            Map.entry("spec.failureDetection.timeout", "failureDetection: {timeout: 5s}"),
            Map.entry("spec.checkpoint.copies", "checkpoint: {copies: 1}"),
            Map.entry("spec.checkpoint.interval", "checkpoint: {interval: '100'}"),
            Map.entry("spec.failurePolicy.blockAttempts", "failurePolicy: {blockAttempts: 4}"),
            Map.entry("spec.activeDeadlineSeconds", "activeDeadlineSeconds: 60"),
            Map.entry("spec.result.objectStore.endpoint", result(", endpoint: 'http://minio:9000'")),
            Map.entry("spec.result.objectStore.region", result(", region: eu-central-1")),
            Map.entry("spec.result.objectStore.bucket", result("")),
            Map.entry("spec.result.objectStore.prefix", result(", prefix: team-a")),
            Map.entry("spec.result.everySteps", "result: {everySteps: 4}"),
            Map.entry("spec.checkpoint.objectStore.endpoint", checkpoint(", endpoint: 'http://minio:9000'")),
            Map.entry("spec.checkpoint.objectStore.region", checkpoint(", region: eu-central-1")),
            Map.entry("spec.checkpoint.objectStore.bucket", checkpoint("")),
            Map.entry("spec.checkpoint.objectStore.prefix", checkpoint(", prefix: team-a")),
            Map.entry("spec.restoreFrom.objectStore.endpoint", restore(", endpoint: 'http://minio:9000'")),
            Map.entry("spec.restoreFrom.objectStore.region", restore(", region: eu-central-1")),
            Map.entry("spec.restoreFrom.objectStore.bucket", restore("")),
            Map.entry("spec.restoreFrom.objectStore.prefix", restore(", prefix: team-a")),
            Map.entry("spec.restoreFrom.job", "restoreFrom: {objectStore: {bucket: checkpoints}, job: other}"),
            Map.entry("spec.initialGuess", "{inputs: [{name: in, path: a}], initialGuess: 'in:u.npy'}"),
            Map.entry("spec.chaos.allowed", "chaos: {allowed: true}"),
            Map.entry("spec.chaos.pace", "chaos: {pace: 20ms}"));

    /** Fields that mean something else in each place; the tests of the deployments have them. */
    private static final Set<String> OF_DEPLOYMENTS = Set.of(
            "spec.inputs",
            "spec.blocks",
            "spec.daemons.min",
            "spec.daemons.max",
            "spec.checkpoint.volume.persistentVolumeClaim.claimName",
            "spec.restoreFrom.persistentVolumeClaim.claimName",
            "spec.result.destination",
            "spec.checkpoint.objectStore.secretName",
            "spec.restoreFrom.objectStore.secretName",
            "spec.result.objectStore.secretName");

    /** Fields of those who start the workers: the operator, and the command line for standbys and suspended jobs. */
    private static final Set<String> OF_LAUNCHERS = Set.of(
            "spec.daemons.standbys",
            "spec.daemons.template",
            "spec.workerGroups",
            "spec.spawners.template",
            "spec.checkpoint.volume.persistentVolumeClaim.subPath",
            "spec.restoreFrom.persistentVolumeClaim.subPath",
            "spec.failurePolicy.maxRetries",
            "spec.result.volume.persistentVolumeClaim.claimName",
            "spec.result.volume.persistentVolumeClaim.subPath",
            "spec.preRunningDeadlineSeconds",
            "spec.ttlSecondsAfterFinished",
            "spec.podRetention",
            "spec.suspend",
            "spec.managedBy");

    private static String checkpoint(String more) {
        return "checkpoint: {objectStore: {bucket: checkpoints" + more + "}}";
    }

    private static String restore(String more) {
        return "restoreFrom: {objectStore: {bucket: checkpoints" + more + "}}";
    }

    private static String result(String more) {
        return "result: {destination: ObjectStore, objectStore: {bucket: results" + more + "}}";
    }

    @Test
    void everyFieldHasAnOwner() {
        Set<String> owned = new TreeSet<>(TRANSLATED.keySet());
        owned.addAll(OF_DEPLOYMENTS);
        owned.addAll(OF_LAUNCHERS);
        Set<String> fields = new TreeSet<>();
        collect("spec", JobSpec.class, fields);
        assertEquals(fields, owned);
        assertEquals(TRANSLATED.size() + OF_DEPLOYMENTS.size() + OF_LAUNCHERS.size(), owned.size(), "one owner each");
    }

    @ParameterizedTest
    @MethodSource("translated")
    void aChangedFieldChangesTheDescription(String field) throws ManifestException {
        assertNotEquals(
                describe("").toString(),
                describe(Objects.requireNonNull(TRANSLATED.get(field))).toString());
    }

    /** An object store is there at once or not at all, so that a single field does not show in a comparison with no store. */
    @Test
    void everyFieldOfAnObjectStoreReachesTheWorkers() throws ManifestException {
        String store = "{bucket: some-bucket, endpoint: 'http://minio:9000', region: eu-central-1, prefix: team-a}";
        JobDescription description = describe("""
                {checkpoint: {objectStore: %1$s}, restoreFrom: {objectStore: %1$s, job: other},
                 result: {destination: ObjectStore, objectStore: %1$s},
                 inputs: [{name: local, path: a}, {name: in, objectStore: %1$s, files: [{name: A.mtx, sha256: '%2$s'}]}]}
                """.formatted(store, "0".repeat(64)));
        ObjectStore.Builder given = ObjectStore.newBuilder()
                .setBucket("some-bucket")
                .setEndpoint("http://minio:9000")
                .setRegion("eu-central-1");
        assertEquals(given.setPrefix("team-a").build(), description.getResultStore());
        assertEquals(
                StoredInput.newBuilder()
                        .setName("in")
                        .setField("spec.inputs[1]")
                        .setStore(given)
                        .addFiles(StoredFile.newBuilder().setName("A.mtx").setSha256("0".repeat(64)))
                        .build(),
                description.getStoredInputs(0));
        assertEquals(given.setPrefix("team-a/heat").build(), description.getCheckpointStore());
        assertEquals(given.setPrefix("team-a/other").build(), description.getRestoreStore());
    }

    /** {@code JobValidator} and the API server refuse a shorter time-out; neither knows the protocol. */
    @Test
    void randomMonitorsSendAHeartbeatAsOftenAsTheRulesSay() {
        assertEquals(Duration.ofSeconds(5), FailureDetectorConfig.phoenix().heartbeat());
    }

    static Stream<String> translated() {
        return TRANSLATED.keySet().stream().sorted();
    }

    private static JobDescription describe(String fields) throws ManifestException {
        String problem = fields.startsWith("problem") ? "" : "  problem: {type: heat2d}\n";
        String head = """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heat}
                spec:""";
        String text = fields.startsWith("{")
                ? head + " {problem: {type: heat2d}," + fields.substring(1)
                : head + "\n" + problem + "  " + fields + "\n";
        JobSpec spec = Manifest.parse(Path.of("job.yaml"), text).spec();
        return JobDescriptionFactory.of(new JobIdentity("heat", "lab", "u1"), spec, 4, "1", (description, same) -> {
            description.clearProblemHash(); // has the problem's fields in it, which are to be seen by themselves
        });
    }

    private static void collect(String path, Class<?> type, Set<String> fields) {
        for (RecordComponent component : type.getRecordComponents()) {
            String field = path + "." + component.getName();
            if (component.getType().isRecord()) {
                collect(field, component.getType(), fields);
            } else {
                fields.add(field);
            }
        }
    }
}

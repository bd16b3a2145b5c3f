// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.spec.ChaosSpec;
import dev.volary.job.spec.ConvergenceSpec;
import dev.volary.job.spec.DaemonSpec;
import dev.volary.job.spec.FailurePolicySpec;
import dev.volary.job.spec.InputSpec;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.ResultSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading manifests: what is accepted, what is filled in, and the exact errors of what is refused. */
class ManifestTest {
    private static final String HEAD = """
            apiVersion: volary.dev/v1alpha1
            kind: IterativeJob
            metadata: {name: heat}
            """;
    private static final String MINIMAL = HEAD + """
            spec:
              problem: {type: heat2d}
            """;

    @TempDir
    Path folder;

    @Test
    void fillsInTheDocumentedDefaults() throws Exception {
        JobSpec spec = read(MINIMAL).spec();

        assertEquals("heat2d", spec.problem().type());
        assertEquals(4, spec.daemons().replicas());
        assertEquals(4, spec.blockCount());
        assertEquals(2, spec.spawnerCount());
        assertEquals(JobSpec.Scheme.Asynchronous, spec.scheme());
        assertEquals(
                new ConvergenceSpec("1e-6", ConvergenceSpec.Norm.Relative, ConvergenceSpec.Detector.Snapshot, false),
                spec.convergence());
        assertEquals(ResultSpec.Destination.Lead, spec.result().destination());
        assertEquals(Optional.empty(), spec.activeDeadline());
    }

    @Test
    void readsEveryFieldOfTheDesignsManifest() throws Exception {
        Manifest job = read("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heat, namespace: science, labels: {team: a}, annotations: {"x/y": "1"}}
                spec:
                  problem: {type: heat2d, parameters: {points: 255, boundary: Series, sweeps: [1, 2], tau: 0.5}}
                  inputs: [{name: in, path: ./data}]
                  blocks: 8
                  scheme: Synchronous
                  daemons: {replicas: 4, min: 2, max: 8, standbys: 1}
                  workerGroups: [{name: spot, priority: 10, maxReplicas: 8, template: {}}]
                  spawners: {replicas: 3, template: {spec: {}}}
                  convergence: {tolerance: "1e-5", norm: Absolute, detector: Snapshot, acceptRisk: true}
                  failureDetection: {strategy: RingWithConfirmation, watchers: 2, timeout: 2s}
                  checkpoint: {copies: 2, interval: Auto, volume: {persistentVolumeClaim: {claimName: ck}}}
                  failurePolicy: {maxRetries: 6, blockAttempts: 3}
                  result: {destination: Lead}
                  activeDeadlineSeconds: 3600
                  ttlSecondsAfterFinished: 86400
                  suspend: false
                  chaos: {allowed: true, pace: 20ms}
                """);
        JobSpec spec = job.spec();

        assertEquals(new Metadata("heat", "science", Map.of("team", "a"), Map.of("x/y", "1")), job.metadata());
        assertEquals(
                Map.of("points", 255, "boundary", "Series", "sweeps", List.of(1, 2), "tau", 0.5),
                spec.problem().parameters());
        assertEquals(List.of(new InputSpec("in", "./data", null, null, List.of())), spec.inputs());
        assertEquals(8, spec.blockCount());
        assertEquals(JobSpec.Scheme.Synchronous, spec.scheme());
        assertEquals(new DaemonSpec(4, 2, 8, 1, null), spec.daemons());
        assertEquals(10, spec.workerGroups().getFirst().priority());
        assertEquals(3, spec.spawnerCount());
        assertEquals(1e-5, spec.convergence().toleranceValue());
        assertTrue(spec.convergence().acceptRisk());
        assertEquals(Optional.of(Duration.ofSeconds(2)), spec.failureDetection().timeoutDuration());
        assertEquals(2, spec.checkpoint().copies());
        assertEquals(new FailurePolicySpec(6, 3), spec.failurePolicy());
        assertEquals(ResultSpec.Destination.Lead, spec.result().destination());
        assertEquals(Optional.of(Duration.ofHours(1)), spec.activeDeadline());
        assertEquals(new ChaosSpec(true, "20ms"), spec.chaos());
    }

    @ParameterizedTest
    @CsvSource({
        "1, 2",
        "64, 2",
        "65, 3",
        "'32, max: 97', 4",
        "'60, standbys: 5', 3",
    })
    void spawnersAreAsManyAsTheDaemonsNeed(String daemons, int spawners) throws Exception {
        assertEquals(
                spawners,
                read(MINIMAL + "  daemons: {replicas: " + daemons + "}\n")
                        .spec()
                        .spawnerCount());
    }

    @Test
    void readsJsonToo() throws Exception {
        String json = "{\"apiVersion\": \"volary.dev/v1alpha1\", \"kind\": \"IterativeJob\","
                + " \"metadata\": {\"name\": \"heat\"}, \"spec\": {\"problem\": {\"type\": \"heat2d\"}}}";
        assertEquals("heat2d", read(json).spec().problem().type());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            blocks: 0                        | 6:11: spec.blocks is 0, must be a whole number from 1 to 100000; raise it
            blocks: 1000000                  | 6:11: spec.blocks is 1000000, must be a whole number from 1 to 100000; lower it
            blocks: 99999999999              | 6:11: spec.blocks is 99999999999, must be a whole number from 1 to 100000; lower it
            blocks: 2.5                      | 6:11: spec.blocks is 2.5, must be a whole number from 1 to 100000; round it
            blocks: four                     | 6:11: spec.blocks is "four", must be a whole number from 1 to 100000; correct it
            blocks: [4]                      | 6:11: spec.blocks is a list, must be a whole number from 1 to 100000; correct it
            blocks:                          | 6:10: spec.blocks is empty; give it a value or remove the line
            blcks: 4                         | 6:3: spec.blcks is an unknown field; did you mean blocks?
            scheme: Hybrid                   | 6:11: spec.scheme is "Hybrid"; use one of Asynchronous, Synchronous
            scheme: asynchronous             | 6:11: spec.scheme is "asynchronous"; did you mean Asynchronous? use one of Asynchronous, Synchronous
            scheme: 1                        | 6:11: spec.scheme is 1, a number, must be a string; write "1" in quotes
            daemons: 4                       | 6:12: spec.daemons is 4, must be a mapping; correct it
            daemons: {replicas: 10001}       | 6:23: spec.daemons.replicas is 10001, must be a whole number from 1 to 10000; lower it
            daemons: {replicas: 0}           | 6:23: spec.daemons.replicas is 0, must be a whole number from 1 to 10000; raise it
            daemons: {min: 5}                | 6:18: spec.daemons.min is 5, above spec.daemons.replicas, which is 4; lower min or raise replicas
            daemons: {max: 3}                | 6:18: spec.daemons.max is 3, below spec.daemons.replicas, which is 4; raise max or lower replicas
            failureDetection: {timeout: 99ms} | 6:31: spec.failureDetection.timeout is "99ms", must be a duration from 100ms to 1h; write it as 500ms, 2s or 1m
            failureDetection: {timeout: 2h}  | 6:31: spec.failureDetection.timeout is "2h", must be a duration from 100ms to 1h; write it as 500ms, 2s or 1m
            spawners: {replicas: -1}         | 6:24: spec.spawners.replicas is -1, must be a whole number from 1 to 1000; raise it
            convergence: {tolerance: 1e-6}   | 6:28: spec.convergence.tolerance is 1e-6, a number, must be a string; write "1e-6" in quotes
            convergence: {tolerance: "abc"}  | 6:28: spec.convergence.tolerance is "abc", must be a positive decimal number; write it as "1e-6"
            convergence: {tolerance: "NaN"}  | 6:28: spec.convergence.tolerance is "NaN", must be a positive decimal number; write it as "1e-6"
            convergence: {tolerance: "0"}    | 6:28: spec.convergence.tolerance is "0", must be a positive decimal number; write it as "1e-6"
            convergence: {tolerance: "-1"}   | 6:28: spec.convergence.tolerance is "-1", must be a positive decimal number; write it as "1e-6"
            convergence: {tolerance: "2"}    | 6:28: spec.convergence.tolerance is "2", must be below 1 in the Relative norm; lower it, or set norm: Absolute
            convergence: {acceptRisk: maybe} | 6:29: spec.convergence.acceptRisk is "maybe", must be true or false; correct it
            convergence: {detector: Tree}    | 6:27: spec.convergence.detector is "Tree"; use one of Snapshot, TreeVerification
            inputs: [{name: in}]             | 6:12: input "in" has no source; give objectStore, persistentVolumeClaim (on a cluster) or path (a local folder)
            inputs: [in]                     | 6:12: spec.inputs[0] is "in", must be a mapping; indent its fields
            failureDetection: {timeout: 2}   | 6:31: spec.failureDetection.timeout is 2, a number, must be a string; write "2" in quotes
            failureDetection: {timeout: 2d}  | 6:31: spec.failureDetection.timeout is "2d", must be a duration from 100ms to 1h; write it as 500ms, 2s or 1m
            checkpoint: {interval: never}    | 6:26: spec.checkpoint.interval is "never"; write Auto, or a number of iterations in quotes
            result: {destination: Disk}      | 6:25: spec.result.destination is "Disk"; use one of Lead, Volume, ObjectStore, Local
            result: {destination: Volume}    | 6:25: spec.result.destination is Volume, but spec.result.volume is missing; name a claim there
            result: {volume: {persistentVolumeClaim: {claimName: a}}} | 6:11: spec.result.destination is Lead, which uses no volume; remove spec.result.volume or set destination: Volume
            result: {destination: ObjectStore, objectStore: {}} | 6:51: spec.result.objectStore.bucket is missing; add it: Name of the bucket, which must exist.
            inputs: [{name: in, objectStore: {bucket: abc}, files: [{name: a, sha256: 12}]}] | 6:77: spec.inputs[0].files[0].sha256 is 12, a number, must be a string; write "12" in quotes
            inputs: [{name: in, path: ., files: [{name: a, sha256: "ab"}]}] | 6:12: input "in" has files, but no objectStore to fetch them from; remove files
            checkpoint: {copies: 6}          | 6:24: spec.checkpoint.copies is 6, but beside its owner a block has only 5 workers to be copied to; lower it, or add daemons, standbys or spawners
            podRetention: Sometimes          | 6:17: spec.podRetention is "Sometimes"; use one of None, Failed, All
            activeDeadlineSeconds: 0         | 6:26: spec.activeDeadlineSeconds is 0, must be a whole number from 1 to 2147483647; raise it
            chaos: {pace: 0s}                | 6:17: spec.chaos.pace is "0s", must be a duration from 1ms to 1h; write it as 20ms or 1s
            chaos: &a {allowed: true}        | 6:10: uses an anchor or alias (& or *), which is not supported; write the value out
            """)
    void refusesAFieldNamingPlacePathValueAndRemedy(String line, String expected) throws IOException {
        assertEquals(
                path() + ":" + expected,
                refusal(MINIMAL + "  " + line + "\n").errors().getFirst().toString());
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            scheme: Synchronous           | convergence: {detector: TreeVerification} | 7:27: spec.convergence.detector is TreeVerification, which is for the scheme Asynchronous; leave it out with Synchronous
            daemons: {replicas: 33}       | spawners: {replicas: 1} | 7:24: spec.spawners.replicas is 1, but one spawner manages at most 32 daemons and spec.daemons allows 33, standbys included; set it to 2 or leave it out
            daemons: {max: 64, standbys: 1} | spawners: {replicas: 2} | 7:24: spec.spawners.replicas is 2, but one spawner manages at most 32 daemons and spec.daemons allows 65, standbys included; set it to 3 or leave it out
            """)
    void refusesFieldsThatDoNotFitTogether(String first, String second, String expected) throws IOException {
        assertEquals(
                path() + ":" + expected,
                refusal(MINIMAL + "  " + first + "\n  " + second + "\n")
                        .errors()
                        .getFirst()
                        .toString());
    }

    @Test
    void reportsAllErrorsOfOneFileInItsOrder() throws IOException {
        List<String> errors = refusal("""
                        apiVersion: volary.dev/v2
                        kind: Job
                        metadata: {name: Heat_1}
                        spec:
                          problem: {parameter: {points: 3}}
                          blocks: none
                        """).errors().stream()
                .map(f -> f.position().orElseThrow() + " " + f.message())
                .toList();
        assertEquals(
                List.of(
                        "1:13 apiVersion is \"volary.dev/v2\", which this version does not know;"
                                + " write volary.dev/v1alpha1",
                        "2:7 kind is \"Job\", which this version does not know; write IterativeJob",
                        "3:18 metadata.name is \"Heat_1\"; pods and services are named after it: use at most 50 lower case"
                                + " letters, digits and dashes, beginning with a letter",
                        "5:12 spec.problem.type is missing; add it: Name of the problem, one of those that `volary problems` lists.",
                        "5:13 spec.problem.parameter is an unknown field; did you mean parameters?",
                        "6:11 spec.blocks is \"none\", must be a whole number from 1 to 100000; correct it"),
                errors);
    }

    @Test
    void namesWhatIsMissingInAnEmptyMapping() throws IOException {
        List<String> errors = refusal("{}").errors().stream()
                .map(ManifestError::message)
                .sorted()
                .toList();
        assertEquals(
                List.of(
                        "apiVersion is missing; add it: volary.dev/v1alpha1",
                        "kind is missing; add it: IterativeJob",
                        "metadata.name is missing; add it: Name of the job, such as heat.",
                        "spec.problem.type is missing; add it: Name of the problem, one of those that `volary problems` lists."),
                errors);
    }

    @Test
    void refusesAKeyGivenTwiceEvenInsideFreeParameters() throws IOException {
        assertEquals(
                path() + ":5:51: spec.problem.parameters.points is given twice, first at 5:40; remove one of them",
                refusal(HEAD + "spec:\n  problem: {type: heat2d, parameters: {points: 1, points: 2}}\n")
                        .getMessage());
    }

    @Test
    void refusesASecondDocument() throws IOException {
        assertEquals(
                path() + ":7:1: is the start of a second document; keep one job in a file and remove the rest",
                refusal(MINIMAL + "---\n" + MINIMAL).getMessage());
    }

    @Test
    void ignoresDocumentMarkersAroundTheOnlyDocument() throws Exception {
        assertEquals("heat", read("---\n" + MINIMAL + "---\n").name());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                    | : is empty; start from one of the manifests in examples/
            `# only a comment`    | : is empty; start from one of the manifests in examples/
            `plain text`          | :1:1: is a string, not a manifest; start it with apiVersion: volary.dev/v1alpha1
            `[1, 2]`              | :1:1: is a list, not a manifest; start it with apiVersion: volary.dev/v1alpha1
            """)
    void refusesWhatIsNoMapping(String text, String expected) throws IOException {
        assertEquals(path() + expected, refusal(text).getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `a: [1, 2`            | 1
            `a: b: c`             | 1
            `\ta: 1`              | 1
            `"open`               | 1
            """)
    void saysWhereItStopsBeingYaml(String text, int line) throws IOException {
        String message = refusal(text.replace("\\t", "\t")).errors().getFirst().toString();
        assertTrue(message.startsWith(path() + ":" + line + ":"), message);
        assertTrue(message.contains(": is not YAML: "), message);
        assertEquals(1, message.lines().count());
    }

    @Test
    void refusesAFileThatIsNotText() throws IOException {
        Files.write(path(), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertEquals(
                path() + ": is not UTF-8 text; is it the right file?",
                assertThrows(ManifestException.class, () -> Manifest.read(path()))
                        .getMessage());
    }

    @Test
    void refusesAMissingFileAndAFolder() {
        assertEquals(
                path() + ": does not exist; check the path",
                assertThrows(ManifestException.class, () -> Manifest.read(path()))
                        .getMessage());
        assertEquals(
                folder + ": is a folder; name the manifest in it",
                assertThrows(ManifestException.class, () -> Manifest.read(folder))
                        .getMessage());
    }

    @Test
    void refusesAFileTooLargeToBeAManifest() throws IOException {
        Files.write(path(), new byte[(1 << 20) + 1]);
        assertEquals(
                path() + ": has 1048577 bytes, more than a manifest's 1048576; is it the right file?",
                assertThrows(ManifestException.class, () -> Manifest.read(path()))
                        .getMessage());
    }

    @Test
    void pointsLaterChecksAtTheNearestFieldThatIsThere() throws Exception {
        Manifest manifest = read(MINIMAL + "  convergence: {tolerance: \"1e-16\"}\n");
        assertEquals(
                path() + ":6:28: spec.convergence.tolerance is too small",
                manifest.error("spec.convergence.tolerance", "is too small").toString());
        assertEquals(
                path() + ":5:12: spec.problem.parameters.points is missing",
                manifest.error("spec.problem.parameters.points", "is missing").toString());
    }

    private Path path() {
        return folder.resolve("job.yaml");
    }

    private Manifest read(String text) throws IOException, ManifestException {
        return Manifest.read(Files.writeString(path(), text));
    }

    private ManifestException refusal(String text) throws IOException {
        Files.writeString(path(), text);
        return assertThrows(ManifestException.class, () -> Manifest.read(path()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.manifest.ManifestError;
import dev.volary.job.manifest.ManifestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said about a job before anything starts. {@link ChainProblem} has an attainable floor of 1.63e-11. */
class JobPreflightTest {
    @TempDir
    Path folder;

    @Test
    void aSoundJobIsOpenedAndCutIntoBlocks() throws Exception {
        ValidatedJob checked = check("""
                  problem: {type: test-chain, parameters: {points: 10, scale: 4}}
                  daemons: {replicas: 3}
                """);
        assertEquals("test-chain", checked.problem().name());
        assertEquals(3, checked.decomposition().blocks());
        assertEquals(1e-6, checked.tolerance().relative());
        assertEquals(4e-6, checked.tolerance().absolute());
        assertEquals(List.of(), checked.notices());
    }

    @Test
    void refusesToKeepTimeStepsOfAProblemThatHasNone() throws IOException {
        assertEquals(
                "spec.result.everySteps is 2, but the problem test-chain has no time steps; remove it",
                refusal("  problem: {type: test-chain}\n  result: {everySteps: 2}\n")
                        .getFirst()
                        .message());
    }

    @Test
    void anAbsoluteToleranceIsDividedByTheScale() throws Exception {
        ValidatedJob checked = check("""
                  problem: {type: test-chain, parameters: {scale: 4}}
                  convergence: {tolerance: "8", norm: Absolute}
                """);
        assertEquals(2, checked.tolerance().relative());
        assertEquals(8, checked.tolerance().absolute());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {type: test-chian}                                       | 5:19: spec.problem.type is "test-chian", which is not a known problem; did you mean test-chain? use one of *
            {type: test-chain, parameters: {points: 0}}              | 5:52: spec.problem.parameters.points is 0; must be a whole number from 1 to 1000000
            {type: test-chain, parameters: {points: many}}           | 5:52: spec.problem.parameters.points is many; must be a whole number from 1 to 1000000
            {type: test-chain, parameters: {scal: 1}}                | 5:50: spec.problem.parameters.scal is unknown to the problem test-chain; did you mean scale?
            {type: test-chain, parameters: {weather: 1}}             | 5:53: spec.problem.parameters.weather is unknown to the problem test-chain; use one of points, lower, upper, scale, steps, data
            {type: test-chain, parameters: {lower: 2}}               | 5:51: spec.problem.parameters.lower is 2.0, above upper; lower it
            {type: test-chain, parameters: {upper: 0.1}}             | 5:43: spec.problem.parameters.lower is 0.9, above upper; lower it
            {type: test-chain, parameters: {data: "in:a"}}           | 5:50: spec.problem.parameters.data: in:a refers to input "in", which is not declared; add it to spec.inputs
            {type: test-chain, parameters: {points: 3}}              | 5:3: spec.daemons.replicas is 4, more than the 3 unknowns of this problem; lower it
            """)
    void refusesAProblemNamingFieldValueAndRemedy(String problem, String expected) throws IOException {
        String message = refusal("  problem: " + problem + "\n").getFirst().toString();
        int end = expected.endsWith("*") ? expected.length() - 1 : expected.length();
        String start = path() + ":" + expected.substring(0, end);
        assertEquals(start, expected.endsWith("*") ? message.substring(0, start.length()) : message);
    }

    @Test
    void findsEveryFaultOfTheParametersAtOnce() throws IOException {
        List<String> messages =
                refusal("  problem: {type: test-chain, parameters: {points: -1, upper: high, pints: 3}}\n").stream()
                        .map(ManifestError::message)
                        .toList();
        assertEquals(
                List.of(
                        "spec.problem.parameters.pints is unknown to the problem test-chain; did you mean points?",
                        "spec.problem.parameters.points is -1; must be a whole number from 1 to 1000000",
                        "spec.problem.parameters.upper is high; must be a number from 0.0 to 10.0"),
                messages);
    }

    @Test
    void refusesAnInitialGuessNamingFieldValueAndRemedy() throws IOException {
        Files.createDirectories(folder.resolve("data"));
        String fields = """
                  problem: {type: test-chain}
                  inputs: [{name: in, path: data}]
                  initialGuess: "in:u.npy"
                """;
        assertEquals(
                path()
                        + ":7:17: spec.initialGuess is \"in:u.npy\", which cannot be used: in:u.npy does not exist: there is no "
                        + folder.resolve("data/u.npy")
                        + "; check the name, or the path of the input; or remove it",
                refusal(fields).getFirst().toString());
    }

    @Test
    void refusesMoreBlocksThanUnknowns() throws IOException {
        assertEquals(
                path() + ":6:11: spec.blocks is 101, more than the 100 unknowns of this problem; lower it",
                refusal("  problem: {type: test-chain}\n  blocks: 101\n")
                        .getFirst()
                        .toString());
    }

    @Test
    void refusesAToleranceBelowTheAttainableFloor() throws IOException {
        assertEquals(
                "spec.convergence.tolerance is 1e-16, below the attainable 1.7e-11 for this problem; raise it",
                refusal("  problem: {type: test-chain}\n  convergence: {tolerance: \"1e-16\"}\n")
                        .getFirst()
                        .message());
    }

    @Test
    void theFloorItNamesIsAccepted() throws Exception {
        assertEquals(
                1.7e-11,
                check("  problem: {type: test-chain}\n  convergence: {tolerance: \"1.7e-11\"}\n")
                        .tolerance()
                        .relative());
    }

    @Test
    void refusesAnIterationThatSomeSchedulesMakeDiverge() throws IOException {
        assertEquals(
                "spec.problem fails the pre-flight check: ρ(|T|) is between 1.50000 and 1.60000, above 1: some"
                        + " asynchronous schedules diverge; use larger blocks, or set spec.convergence.acceptRisk: true"
                        + " to run it nevertheless",
                refusal("  problem: {type: test-chain, parameters: {lower: 1.5, upper: 1.6}}\n")
                        .getFirst()
                        .message());
    }

    @ParameterizedTest
    @CsvSource({"'convergence: {acceptRisk: true}'", "'scheme: Synchronous'"})
    void runsItWithANoticeIfTheRiskIsAcceptedOrNotThere(String field) throws Exception {
        ValidatedJob checked =
                check("  problem: {type: test-chain, parameters: {lower: 1.5, upper: 1.6}}\n  " + field + "\n");
        assertEquals(
                List.of(
                        "convergence is not certified: ρ(|T|) is between 1.50000 and 1.60000, above 1: some asynchronous"
                                + " schedules diverge (use larger blocks)"),
                checked.notices());
    }

    @Test
    void warnsWhenTheBoundsEncloseOne() throws Exception {
        ValidatedJob checked = check("  problem: {type: test-chain, parameters: {lower: 0.9, upper: 1.1}}\n");
        assertEquals(
                List.of("convergence is not certified: ρ(|T|) is between 0.900000 and 1.10000, the bounds enclose 1"
                        + " (use larger blocks)"),
                checked.notices());
    }

    @Test
    void saysWhichDaemonsAndFieldsALocalRunDoesNotUse() throws Exception {
        ValidatedJob checked = check("""
                  problem: {type: test-chain}
                  blocks: 3
                  daemons: {standbys: 1, template: {a: 1}}
                  checkpoint: {copies: 2, volume: {persistentVolumeClaim: {claimName: ck}}}
                  result: {destination: Lead}
                """);
        assertEquals(
                List.of(
                        "spec.blocks is 3, so 1 of 4 daemons have nothing to compute",
                        "a local run ignores spec.daemons.template,"
                                + " spec.checkpoint.volume (run with --checkpoint FOLDER), spec.result.destination"
                                + " (the result stays in the output folder)"),
                checked.notices());
    }

    @Test
    void saysHowManyCopiesAreInForceIfTooFewDaemonsCanHoldThem() throws Exception {
        assertEquals(
                List.of("spec.checkpoint.copies is 4, which requires 4 daemons per spawner; each block has 2"),
                check("""
                          problem: {type: test-chain}
                          daemons: {replicas: 4}
                          spawners: {replicas: 2}
                          checkpoint: {copies: 4}
                        """).notices());
    }

    @Test
    void namesWhatOnlyAClusterUses() throws Exception {
        assertEquals(
                List.of(
                        "a local run ignores spec.daemons.min, spec.daemons.max, spec.daemons.template, spec.workerGroups,"
                                + " spec.spawners.template, spec.restoreFrom.persistentVolumeClaim (run with --restore-from FOLDER),"
                                + " spec.failurePolicy.maxRetries, spec.result.destination (the result stays in the output"
                                + " folder), spec.preRunningDeadlineSeconds, spec.ttlSecondsAfterFinished,"
                                + " spec.podRetention, spec.managedBy, spec.chaos.allowed (inject faults with --kill)"),
                check("""
                          problem: {type: test-chain}
                          daemons: {replicas: 2, min: 1, max: 3, template: {metadata: {labels: {a: b}}}}
                          workerGroups: [{name: spot, priority: 1, maxReplicas: 2, template: {metadata: {labels: {a: b}}}}]
                          spawners: {template: {metadata: {labels: {a: b}}}}
                          restoreFrom: {persistentVolumeClaim: {claimName: ck}}
                          failurePolicy: {maxRetries: 3}
                          result: {destination: Volume, volume: {persistentVolumeClaim: {claimName: out}}}
                          preRunningDeadlineSeconds: 60
                          ttlSecondsAfterFinished: 60
                          podRetention: All
                          managedBy: kueue.x-k8s.io/multikueue
                          chaos: {allowed: true}
                        """).notices());
    }

    @Test
    void saysHowManySpawnersALocalRunStartsForAMaximumOfDaemons() throws Exception {
        String job = """
                  problem: {type: test-chain}
                  daemons: {replicas: 2, max: 97}
                """;
        assertEquals(
                List.of("spec.daemons.max is 97, so 4 spawners start; a local run never starts more than"
                        + " spec.daemons.replicas and standbys, for which spec.spawners.replicas: 2 is enough"),
                check(job).notices());
        assertEquals(4, check(job).spec().spawnerCount());
    }

    @Test
    void namesWhereALocalRunFindsCredentials() throws Exception {
        assertEquals(
                List.of("a local run ignores "
                        + Stream.of("checkpoint", "restoreFrom", "result")
                                .map(field -> "spec." + field
                                        + ".objectStore.secretName (set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)")
                                .collect(Collectors.joining(", "))),
                check("""
                          problem: {type: test-chain}
                          daemons: {replicas: 2}
                          spawners: {replicas: 1}
                          checkpoint: {objectStore: {bucket: results, secretName: store}}
                          restoreFrom: {objectStore: {bucket: results, secretName: store}}
                          result: {destination: ObjectStore, objectStore: {bucket: results, secretName: store}}
                        """).notices());
    }

    @Test
    void refusesASuspendedJobAndAMissingInputFolderTogether() throws IOException {
        assertEquals(
                List.of(
                        "spec.suspend is true, so the job would not run; set it to false",
                        "spec.inputs[0].path is \"./nowhere\", but " + folder.resolve("nowhere")
                                + " does not exist; a path is relative to the folder of the manifest",
                        "spec.inputs[1].path is missing: a local run cannot read a persistentVolumeClaim; set path to a folder,"
                                + " or use objectStore"),
                refusal("""
                          problem: {type: test-chain}
                          suspend: true
                          checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}
                          inputs: [{name: in, path: ./nowhere}, {name: pvc, persistentVolumeClaim: {claimName: a}}]
                        """).stream().map(ManifestError::message).toList());
    }

    @Test
    void findsAFileOfAnInputBesideTheManifest() throws Exception {
        Files.createDirectory(folder.resolve("data"));
        Files.writeString(folder.resolve("data/a.txt"), "1");
        ValidatedJob checked = check("""
                  problem: {type: test-chain, parameters: {data: "in:a.txt"}}
                  inputs: [{name: in, path: ./data}]
                """);
        assertEquals(folder.resolve("data/a.txt"), checked.inputs().resolve("in:a.txt"));
    }

    @Test
    void theFloorIsRoundedUpNeverDown() {
        assertEquals("1.7e-11", JobPreflight.twoDigitsUp(1.63e-11));
        assertEquals("1e-11", JobPreflight.twoDigitsUp(0.996e-11));
        assertTrue(Double.parseDouble(JobPreflight.twoDigitsUp(1.0000001e-9)) > 1.0000001e-9);
    }

    private Path path() {
        return folder.resolve("job.yaml");
    }

    private ValidatedJob check(String spec) throws IOException, ManifestException {
        Files.writeString(path(), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: chain}
                spec:
                """ + spec);
        return JobPreflight.check(path(), ProblemCatalogue.load());
    }

    private List<ManifestError> refusal(String spec) {
        return assertThrows(ManifestException.class, () -> check(spec)).errors();
    }
}

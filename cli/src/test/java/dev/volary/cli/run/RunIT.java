// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.volary.cli.local.Installation;
import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Halos;
import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real worker processes, real sockets, real signals. */
class RunIT {
    private static final Path EXAMPLES = Path.of(System.getProperty("volary.examples"));
    private static final String HEAT = """
            apiVersion: volary.dev/v1alpha1
            kind: IterativeJob
            metadata: {name: heat}
            spec:
              problem: {type: heat2d, parameters: {points: %d, boundary: Series}}
              blocks: %d
              scheme: %s
              daemons: {replicas: 2}
              spawners: {replicas: 2}
              convergence: {tolerance: "%s"}
            """;

    /** The same by a method that takes some thousand iterations, not ten. */
    private static final String RELAXED = HEAT.replace("boundary: Series", "boundary: Series, method: PointJacobi");

    /** Halos of a block that has no neighbors. */
    private static final Halos NONE = new Halos() {
        @Override
        public int size() {
            return 0;
        }

        @Override
        public double[] values(int k) {
            throw new IndexOutOfBoundsException(k);
        }

        @Override
        public boolean fresh(int k) {
            throw new IndexOutOfBoundsException(k);
        }
    };

    private static final Comparator<ProcessHandle> BY_START =
            Comparator.comparing(worker -> worker.info().startInstant().orElseThrow());

    @TempDir
    Path folder;

    @Test
    void aSmallJobEndsWithAVectorWhoseResidualIsWhatWasCertified() throws Exception {
        certifies(HEAT.formatted(24, 2, "Asynchronous", "1e-4"), 24);
    }

    @Test
    void severalBlocksPerDaemonEndCertifiedToo() throws Exception {
        certifies(HEAT.formatted(24, 5, "Asynchronous", "1e-4"), 24);
    }

    @Test
    void theSynchronousSchemeEndsCertifiedToo() throws Exception {
        certifies(HEAT.formatted(16, 3, "Synchronous", "1e-2"), 16);
    }

    @ParameterizedTest
    @CsvSource({"Asynchronous, 1e-4", "Synchronous, 1e-2"})
    void bothEndsOfEveryLinkAreInTheProvenance(String scheme, String tolerance) throws Exception {
        try (StartedRun run = start(RELAXED.formatted(16, 2, scheme, tolerance))) {
            assertEquals(0, run.status(), run.said());
            JsonNode links = new ObjectMapper()
                    .readTree(Files.readString(run.output().resolve("provenance.json")))
                    .get("links");
            assertEquals(2, links.size(), links.toString());
            for (JsonNode link : links) {
                assertTrue(link.at("/sent/round_trip_ms").asDouble() > 0, link.toString());
                assertTrue(link.at("/received/frames").asLong() > 0, link.toString());
                // A frame is 64 bytes of header and five layers of 16 points, four of which the blocks share.
                assertEquals(
                        link.at("/received/frames").asLong() * (64 + 5 * 16 * Double.BYTES),
                        link.at("/received/bytes").asLong(),
                        link.toString());
                assertTrue(link.at("/received/halo_age_ms").asDouble() > 0, link.toString());
                assertTrue(link.at("/received/halo_age_iterations").isIntegralNumber(), link.toString());
            }
        }
    }

    @Test
    void lostDelayedAndReorderedHalosDoNotKeepItFromACertifiedEnd() throws Exception {
        certifies(
                HEAT.formatted(16, 2, "Asynchronous", "1e-3"),
                16,
                "--faults",
                "loss=0.3,duplicate=0.1,reorder=0.2,delay=2ms",
                "--seed",
                "7");
    }

    @Test
    void aLinearSystemFromAFileHasTheReferenceSolution() throws Exception {
        try (StartedRun run = StartedRun.of(folder, List.of(), EXAMPLES.resolve("airfoil.yaml"))) {
            assertEquals(0, run.status(), run.said());
            double[] x = run.result();
            // scipy 1.17.1, direct solve of airfoil with b_i = i/n (examples/data/README.md)
            assertEquals(3.553338780845e-01, x[0], 1e-3);
            assertEquals(3.872596140228, x[130], 1e-3);
        }
    }

    @Test
    void zarrPythonReadsTheResult() throws Exception {
        String python = System.getenv("VOLARY_PYTHON");
        Assumptions.assumeTrue(python != null, "VOLARY_PYTHON names no python with zarr 3");
        try (StartedRun run = start(HEAT.formatted(12, 2, "Asynchronous", "1e-3"))) {
            assertEquals(0, run.status(), run.said());
            Process reader = new ProcessBuilder(
                            python,
                            System.getProperty("volary.zarr.reader"),
                            run.output().resolve("result.zarr").toString(),
                            "u")
                    .redirectErrorStream(true)
                    .start();
            String read = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, reader.waitFor(), read);
            assertTrue(read.contains("\"shape\": [12, 12]"), read);
        }
    }

    @Test
    void anInterruptEndsItWith130AndLeavesNoProcess() throws Exception {
        endsBySignal("INT", 130);
    }

    @Test
    void aTerminationLeavesNoProcess() throws Exception {
        endsBySignal("TERM", 143);
    }

    @Test
    void evenAKilledParentLeavesNoProcess() throws Exception {
        endsBySignal("KILL", 137);
    }

    @Test
    void aWorkerThatDiesIsNamedWithItsLogAndReplaced() throws Exception {
        try (StartedRun run = endless()) {
            run.workers().getFirst().destroyForcibly();
            run.awaitSaid(" replaces ");
            assertTrue(run.said().contains("ended with status 137; see its log"), run.said());
            await().atMost(Duration.ofSeconds(10)).until(() -> run.workers().size() == 4);
            assertTrue(run.process().isAlive());
        }
    }

    @Test
    void aWorkerKilledBeforeItIsUpDoesNotKeepTheJobFromItsEnd() throws Exception {
        try (StartedRun run = start(HEAT.formatted(24, 2, "Asynchronous", "1e-4"))) {
            await().pollInterval(Duration.ofMillis(5)).until(() -> run.workers().size() == 4);
            oldest(run.workers()).destroyForcibly();
            assertEquals(0, run.status(), run.said());
            assertTrue(run.said().contains(" replaces "), run.said());
        }
    }

    @Test
    void aKilledStandbyDoesNotKeepTheJobFromItsEnd() throws Exception {
        String manifest = RELAXED.formatted(24, 2, "Asynchronous", "1e-4")
                .replace("daemons: {replicas: 2}", "daemons: {replicas: 2, standbys: 1}");
        try (StartedRun run = start(manifest, "--pace", "10ms")) {
            run.awaitSaid("daemon-2 is ready as a standby");
            newest(run.workers()).destroyForcibly();
            assertEquals(0, run.status(), run.said());
            assertTrue(run.said().contains("daemon-3 replaces daemon-2"), run.said());
        }
    }

    @Test
    void aKilledDaemonIsReplacedAndTheAnswerIsCertified() throws Exception {
        // One spawner, so that the standby is in the group of the killed daemon.
        String manifest = RELAXED.formatted(255, 3, "Asynchronous", "1e-5")
                .replace("daemons: {replicas: 2}", "daemons: {replicas: 3, standbys: 1}")
                .replace("spawners: {replicas: 2}", "spawners: {replicas: 1}");
        try (StartedRun run = start(manifest)) {
            run.awaitSaid("daemon-3 is ready as a standby");
            run.awaitSaid("snapshot 1:");
            oldest(daemons(run.workers())).destroyForcibly();
            isCertified(run, 255);
            assertTrue(run.said().contains("is declared dead"), run.said());
            // The standby if it has registered by then, else a survivor.
            assertTrue(run.said().contains(" is assigned blocks ["), run.said());
            assertTrue(run.said().contains(" iterates again on "), run.said());
        }
    }

    /** Some 900 iterations of 25 ms: stores open within seconds, so there are checkpoints before the crash. */
    @Test
    void aSynchronousJobGivesTheSameBitsWhetherADaemonIsKilledOrNot() throws Exception {
        // One spawner, so that every block's daemon has another one in its group that keeps its checkpoints.
        String manifest = RELAXED.formatted(24, 3, "Synchronous", "1e-4")
                .replace("daemons: {replicas: 2}", "daemons: {replicas: 3, standbys: 1}")
                .replace("spawners: {replicas: 2}", "spawners: {replicas: 1}")
                .replace("spec:", "spec:\n  checkpoint: {copies: 2, interval: \"24\"}");
        double[] undisturbed;
        try (StartedRun run = start(manifest)) {
            isCertified(run, 24);
            undisturbed = run.result();
        }
        try (StartedRun run = start(manifest, "--pace", "25ms", "--kill", "1", "--every", "14s", "--seed", "3")) {
            isCertified(run, 24);
            assertTrue(run.said().contains("fault injection killed daemon-"), run.said());
            assertTrue(run.said().matches("(?s).*all blocks roll back to iteration [1-9].*"), run.said());
            assertFalse(run.said().contains("all blocks roll back to iteration 0"), run.said());
            assertArrayEquals(undisturbed, run.result());
        }
    }

    @Test
    void theVerificationTreeEndsCertifiedToo() throws Exception {
        certifies(
                HEAT.formatted(24, 3, "Asynchronous", "1e-4")
                        .replace("convergence: {", "convergence: {detector: TreeVerification, "),
                24);
    }

    @Test
    void aDaemonThatIsAskedToLeaveHandsItsBlocksOverAndRestarts() throws Exception {
        // One spawner, so that the leaving daemon has others in its group.
        String manifest = RELAXED.formatted(24, 3, "Asynchronous", "1e-4")
                .replace("daemons: {replicas: 2}", "daemons: {replicas: 3}")
                .replace("spawners: {replicas: 2}", "spawners: {replicas: 1}");
        try (StartedRun run =
                start(manifest, "--pace", "10ms", "--kill", "1", "--every", "3s", "--leave", "--seed", "5")) {
            run.awaitSaid("was evicted and restarts with a new identity");
            assertTrue(run.said().contains("fault injection asked daemon-"), run.said());
            assertTrue(run.said().contains("has left"), run.said());
            assertTrue(run.said().contains("is assigned blocks"), run.said());
            endsBySignal(run, "INT", 130);
        }
    }

    @Test
    void theChaosMonkeyKillsAndWorkersRestartUntilAnInterrupt() throws Exception {
        try (StartedRun run = start(
                RELAXED.formatted(400, 2, "Asynchronous", "1e-9"), "--kill", "1", "--every", "1s", "--seed", "7")) {
            run.awaitSaid(" replaces daemon-");
            assertTrue(run.said().contains("fault injection killed daemon-"), run.said());
            endsBySignal(run, "INT", 130);
        }
    }

    @Test
    void aPausedWorkerContinuesAfterItsPause() throws Exception {
        try (StartedRun run = start(
                RELAXED.formatted(24, 2, "Asynchronous", "1e-4"),
                "--pace",
                "10ms",
                "--kill",
                "1",
                "--every",
                "1s",
                "--pause",
                "300ms")) {
            assertEquals(0, run.status(), run.said());
            assertTrue(run.said().contains("fault injection paused daemon-"), run.said());
            assertTrue(run.said().matches("(?s).*daemon-\\d continues after its pause.*"), run.said());
        }
    }

    @Test
    void theNextSpawnerAdoptsTheDaemonsOfTheLastOne() throws Exception {
        String manifest = RELAXED.formatted(400, 2, "Asynchronous", "1e-9")
                .replace("spawners: {replicas: 2}", "spawners: {replicas: 1}");
        try (StartedRun run = start(manifest)) {
            run.awaitSaid("all blocks iterate");
            assertEquals(3, run.workers().size());
            spawner(run.workers()).destroyForcibly();
            run.awaitSaid("spawner-1 is the leader, term 2");
            await().until(() -> run.said().split("planned ", -1).length > 2);
            assertFalse(run.said().contains("is assigned blocks"), run.said());
        }
    }

    @Test
    void processesThatCannotStartEndTheJobWithOneMessage() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.createSymbolicLink(home.resolve("lib"), Installation.home().resolve("lib"));
        Files.createDirectory(home.resolve("etc"));
        Files.writeString(home.resolve("etc/compiler-directives.json"), "this is no directive");
        Path manifest = write(RELAXED.formatted(400, 2, "Asynchronous", "1e-9"));
        try (StartedRun run = StartedRun.from(home, folder.resolve("out"), folder, List.of(), manifest, "--quiet")) {
            assertEquals(1, run.status(), run.said());
            assertTrue(
                    run.said()
                            .matches("(?s).*daemon-\\d \\(pid \\d+\\) ended with status 1 before it was ready,"
                                    + " as did the 2 processes before it; see its log .*"),
                    run.said());
            assertEquals(1, run.said().split("see its log", -1).length - 1, run.said());
        }
    }

    @Test
    void aDeadlineEndsItUncertifiedWithTheBestVectorReached() throws Exception {
        // Long enough to start and iterate on a busy machine, too short for nine digits on any.
        String manifest = RELAXED.formatted(400, 2, "Asynchronous", "1e-9") + "  activeDeadlineSeconds: 10\n";
        try (StartedRun run = start(manifest)) {
            assertEquals(3, run.status(), run.said());
            assertTrue(run.said().contains("the best answer that was reached: snapshot"), run.said());
            // A snapshot is kept at most every twentieth part of the time, so the best one may be neither kept nor the
            // last.
            List<Double> residuals = Files.readAllLines(run.output().resolve("residuals.csv")).stream()
                    .skip(1)
                    .map(line -> Double.valueOf(line.split(",", -1)[3]))
                    .toList();
            double delivered = ResultAttributes.of(
                            ZarrGroup.open(run.output().resolve("result.zarr")).attributes())
                    .certifiedResidualAbsolute();
            assertTrue(residuals.contains(delivered), delivered + " of " + residuals);
            assertTrue(delivered <= residuals.getFirst(), delivered + " of " + residuals);
            assertEquals(
                    false,
                    ZarrGroup.open(run.output().resolve("result.zarr"))
                            .attributes()
                            .get("certified"));
            assertEquals(400 * 400, run.result().length);
        }
    }

    @Test
    void anIterationThatDivergesIsNamedWithItsBlock() throws Exception {
        // Jacobi on [[1, 2], [2, 1]] doubles the error in every sweep.
        Files.writeString(folder.resolve("two.mtx"), """
                %%MatrixMarket matrix coordinate real general
                2 2 4
                1 1 1.0
                1 2 2.0
                2 1 2.0
                2 2 1.0
                """);
        String manifest = """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: diverges}
                spec:
                  problem: {type: linear-system, parameters: {matrix: "in:two.mtx", method: PointJacobi}}
                  inputs: [{name: in, path: .}]
                  daemons: {replicas: 2}
                  spawners: {replicas: 1}
                  convergence: {tolerance: "1e-6", acceptRisk: true}
                """;
        try (StartedRun run = start(manifest)) {
            assertEquals(1, run.status(), run.said());
            assertTrue(run.said().matches("(?s).*block \\d.*diverges.*"), run.said());
        }
    }

    @Test
    void aBlockThatCannotBeOpenedIsTriedOnAsManyDaemonsAsTheManifestSays() throws Exception {
        Files.writeString(folder.resolve("ones.mtx"), """
                %%MatrixMarket matrix coordinate real general
                2 2 4
                1 1 1
                1 2 1
                2 1 1
                2 2 1
                """);
        String manifest = """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: singular}
                spec:
                  problem: {type: linear-system, parameters: {matrix: "in:ones.mtx", method: Direct}}
                  inputs: [{name: in, path: .}]
                  blocks: 1
                  daemons: {replicas: 2}
                  spawners: {replicas: 1}
                  convergence: {tolerance: "1e-6", acceptRisk: true}
                  failurePolicy: {blockAttempts: 1}
                """;
        try (StartedRun run = start(manifest)) {
            assertEquals(1, run.status(), run.said());
            assertTrue(run.said().contains("(tried on 1 daemons)"), run.said());
        }
    }

    @Test
    void aDiskThatTakesNoMoreIsNamedWithTheFileAndTheRemedy() throws Exception {
        Path manifest = write(HEAT.formatted(150, 2, "Asynchronous", "1e-2"));
        List<String> limited = List.of("bash", "-c", "ulimit -f 48; exec \"$@\"", "run");
        try (StartedRun run = StartedRun.of(folder, limited, manifest, "--quiet")) {
            assertEquals(1, run.status(), run.said());
            assertTrue(run.said().contains(".parts"), run.said());
            assertTrue(run.said().contains("choose another output folder"), run.said());
        }
    }

    @Test
    void aBusyPortIsNamedWithTheRemedy() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = busy.getLocalPort();
            try (StartedRun run =
                    start(HEAT.formatted(12, 2, "Asynchronous", "1e-3"), "--base-port", Integer.toString(port))) {
                assertEquals(1, run.status(), run.said());
                assertTrue(run.said().contains(Integer.toString(port)), run.said());
            }
        }
    }

    @Test
    void twoRunsDoNotShareAnOutputFolder() throws Exception {
        try (StartedRun first = endless()) {
            Path manifest = write(RELAXED.formatted(12, 2, "Asynchronous", "1e-3"));
            Path elsewhere = Files.createDirectory(folder.resolve("second"));
            try (StartedRun second = StartedRun.into(first.output(), elsewhere, List.of(), manifest)) {
                assertEquals(2, second.status(), second.said());
                assertTrue(second.said().contains("is in use by another run"), second.said());
            }
        }
    }

    private void endsBySignal(String signal, int status) throws Exception {
        try (StartedRun run = endless()) {
            assertEquals(4, run.workers().size());
            endsBySignal(run, signal, status);
        }
    }

    private static void endsBySignal(StartedRun run, String signal, int status) throws Exception {
        assertFalse(
                signal.equals("INT") && ignoresInterrupts(),
                "SIGINT is ignored here; start the build in the foreground, or from a shell with job control");
        List<ProcessHandle> workers = run.workers();
        assertEquals(
                0,
                new ProcessBuilder(
                                "kill",
                                "-" + signal,
                                Long.toString(run.process().pid()))
                        .start()
                        .waitFor());
        assertEquals(status, run.status());
        await().atMost(Duration.ofSeconds(5)).until(() -> workers.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** A shell without job control has its background processes ignore SIGINT; children inherit that, and a JVM keeps to it. */
    private static boolean ignoresInterrupts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1L << 1) != 0);
    }

    private static ProcessHandle oldest(List<ProcessHandle> workers) {
        return workers.stream().min(BY_START).orElseThrow();
    }

    private static ProcessHandle newest(List<ProcessHandle> workers) {
        return workers.stream().max(BY_START).orElseThrow();
    }

    private static ProcessHandle spawner(List<ProcessHandle> workers) {
        List<ProcessHandle> daemons = daemons(workers);
        return workers.stream()
                .filter(worker -> !daemons.contains(worker))
                .findFirst()
                .orElseThrow();
    }

    /** Of a large job: only workers that compute have huge pages. */
    private static List<ProcessHandle> daemons(List<ProcessHandle> workers) {
        return workers.stream()
                .filter(worker ->
                        List.of(worker.info().arguments().orElseThrow()).contains("-XX:+UseTransparentHugePages"))
                .toList();
    }

    /** A run that computes and would go on for long. */
    private StartedRun endless() throws IOException {
        StartedRun run = start(RELAXED.formatted(400, 2, "Asynchronous", "1e-9"));
        run.awaitSaid("all blocks iterate");
        return run;
    }

    private void certifies(String manifest, int n, String... options) throws Exception {
        try (StartedRun run = start(manifest, options)) {
            isCertified(run, n);
        }
    }

    /** It ends well, with a vector of n × n unknowns whose residual is what was certified. */
    private static void isCertified(StartedRun run, int n) throws Exception {
        assertEquals(0, run.status(), run.said());
        Map<String, Object> attributes =
                ZarrGroup.open(run.output().resolve("result.zarr")).attributes();
        Residual residual = residual(n, run.result());
        double certified = ((Number) attributes.getOrDefault("certified_residual_absolute", Double.NaN)).doubleValue();
        assertEquals(certified, residual.norm(), 2 * residual.roundoff() + 1e-12 * certified);
        assertTrue(Files.size(run.output().resolve("result.png")) > 1000);
        assertTrue(Files.exists(run.output().resolve("provenance.json")));
        assertFalse(Files.exists(run.output().resolve(".parts")));
        assertEquals(List.of(), run.workers());
    }

    /** The residual that the problem itself computes, on one block that is the whole plate. */
    private static Residual residual(int n, double[] u) throws InvalidProblemException {
        Problem heat = ServiceLoader.load(Problem.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(problem -> problem.name().equals("heat2d"))
                .findFirst()
                .orElseThrow();
        Model model = heat.open(
                ParameterValues.of(
                        heat.parameters(), Map.of("points", n, "boundary", "Series", "method", "PointJacobi")),
                Inputs.none());
        Decomposition whole = model.decompose(1);
        Block block = model.block(whole, 0, Resources.SINGLE);
        return block.residual(u, NONE);
    }

    private StartedRun start(String manifest, String... options) throws IOException {
        return StartedRun.of(folder, List.of(), write(manifest), options);
    }

    private Path write(String manifest) throws IOException {
        return Files.writeString(folder.resolve("job.yaml"), manifest);
    }
}

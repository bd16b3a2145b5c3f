// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.cli.chaos.ChaosPlan.Fault;
import dev.volary.cli.check.JobPreflight;
import dev.volary.cli.check.ProblemCatalogue;
import dev.volary.cli.console.UsageException;
import dev.volary.job.spec.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What can be asked for, of a job with three daemons, one standby and two spawners where not said otherwise. */
class ChaosOptionsTest {
    private static final String USUAL = "daemons: {replicas: 3, standbys: 1}";

    @TempDir
    Path folder;

    @Test
    void withoutKillNothingIsProvokedAndThereAreNoZones() throws Exception {
        ChaosOptions options = options("");
        assertEquals(Optional.empty(), options.plan(job(USUAL)));
        assertEquals(0, options.zones());
        assertEquals(List.of(), options.notices(job("scheme: Synchronous"), true));
    }

    @Test
    void killsInTwoZonesIfNotSaidOtherwise() throws Exception {
        ChaosOptions options = options("--kill 1 --every 30s");
        assertEquals(
                Optional.of(new ChaosPlan(1, Duration.ofSeconds(30), false, false, Fault.KILL, Duration.ZERO)),
                options.plan(job(USUAL)));
        assertEquals(2, options.zones());
    }

    @Test
    void everyOptionIsInThePlan() throws Exception {
        ChaosOptions options = options("--kill 1 --every 500ms --per-zone --spawners --pause 0.5s --zones 3");
        assertEquals(
                Optional.of(new ChaosPlan(1, Duration.ofMillis(500), true, true, Fault.PAUSE, Duration.ofMillis(500))),
                options.plan(job(USUAL)));
        assertEquals(3, options.zones());
        assertEquals(
                Fault.LEAVE,
                options("--kill 1 --every 1s --leave")
                        .plan(job(USUAL))
                        .orElseThrow()
                        .fault());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            --kill 0 --every 1s              | --kill is 0, must be 1 or more
            --kill -1 --every 1s             | --kill is -1, must be 1 or more
            --kill 2                         | --kill requires --every; write it as --kill 2 --every 30s
            --every 30s                      | --every requires --kill; add --kill 1 --every 30s, or remove it
            --per-zone                       | --per-zone requires --kill; add --kill 1 --every 30s, or remove it
            --leave                          | --leave requires --kill; add --kill 1 --every 30s, or remove it
            --pause 1s                       | --pause requires --kill; add --kill 1 --every 30s, or remove it
            --kill 1 --every 0s              | --every is 0s, must be longer than zero; write it as 10ms or 0.5s
            --kill 1 --every -1s             | --every is -1s, which is not a time; write it as 10ms or 0.5s
            --kill 1 --every soon            | --every is soon, which is not a time; write it as 10ms or 0.5s
            --kill 1 --every 1s --pause 0s   | --pause is 0s, must be longer than zero; write it as 10ms or 0.5s
            --kill 1 --every 1s --zones 0    | --zones is 0, must be 1 or more
            --kill 1 --every 1s --pause 1s --leave | --pause and --leave exclude each other; remove one of them
            --kill 4 --every 1s              | --kill 4 would leave none of 4 daemons (replicas and standbys); lower it or raise spec.daemons.standbys
            --kill 2 --every 1s --per-zone   | --kill 2 --per-zone would leave none of 4 daemons (replicas and standbys); lower it or raise spec.daemons.standbys
            --kill 5 --every 1s --spawners   | --kill 5 would leave none of 4 daemons or of 2 spawners (replicas and standbys); lower it or raise spec.daemons.standbys
            """)
    void refusesWhatMakesNoSense(String arguments, String message) {
        assertEquals(
                message,
                assertThrows(UsageException.class, () -> options(arguments).plan(job(USUAL)))
                        .getMessage());
    }

    @Test
    void refusesToHitTheOnlySpawner() {
        assertEquals(
                "--spawners would kill the only spawner, so that no leader is left;"
                        + " raise spec.spawners.replicas to 2 or remove --spawners",
                assertThrows(
                                UsageException.class,
                                () -> options("--kill 1 --every 1s --spawners").plan(job("spawners: {replicas: 1}")))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            scheme: Synchronous | spec.scheme is Synchronous: each lost daemon rolls all blocks back to their newest common checkpoint
            scheme: Asynchronous | spec.daemons.standbys is 0: blocks of a lost daemon move to other daemons if their memory allows; otherwise they wait until the daemon is replaced
            """)
    void statesTheConsequences(String spec, String notice) throws Exception {
        assertEquals(List.of(notice), options("--kill 1 --every 1s").notices(job(spec), false));
    }

    @Test
    void aLostDaemonEndsASynchronousJobWithTimeSteps() throws Exception {
        assertEquals(
                List.of(
                        "spec.scheme is Synchronous and the problem has time steps, so the loss of a daemon ends the job;"
                                + " Asynchronous survives it"),
                options("--kill 1 --every 1s").notices(job("scheme: Synchronous"), true));
    }

    private static ChaosOptions options(String arguments) {
        return CommandLine.populateCommand(
                new ChaosOptions(), arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));
    }

    private JobSpec job(String spec) throws Exception {
        Path file = Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: chain}
                spec:
                  problem: {type: test-chain}
                  %s
                """.formatted(spec));
        return JobPreflight.check(file, ProblemCatalogue.load()).spec();
    }
}

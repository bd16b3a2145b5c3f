// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * All scenarios of the operator over consecutive seeds; {@code bench/run operator-seeds} runs as many as wanted. {@code
 * -Dvolary.seed} and {@code -Dvolary.operator} run one of them alone.
 */
class OperatorSeedsTest {
    private static final int SEEDS = 3;
    /** Of jobs that compute for longer than this, one seed is run. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final Optional<Long> ONLY_SEED = Optional.ofNullable(Long.getLong("volary.seed"));
    private static final Optional<String> ONLY = Optional.ofNullable(System.getProperty("volary.operator"));
    /** Kept, because a logger without a reference loses its level. */
    private static final Logger LOG = Logger.getLogger("dev.volary.operator");

    private static @Nullable Level level;

    @BeforeAll
    static void injectedFailuresAreNotLogged() {
        level = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void otherFailuresAreLogged() {
        LOG.setLevel(level);
    }

    @TestFactory
    Stream<DynamicTest> underAllFaultsNothingForbiddenHappensAndTheJobReachesItsEnd() {
        return OperatorScenario.all().stream()
                .filter(scenario -> ONLY.map(scenario.name()::equals).orElse(true))
                .map(scenario -> DynamicTest.dynamicTest(
                        scenario.name() + ", " + seeds(scenario) + " seeds", () -> holds(scenario)));
    }

    private static int seeds(OperatorScenario scenario) {
        return scenario.workload().computing().compareTo(LONG) > 0 ? 1 : SEEDS;
    }

    private static void holds(OperatorScenario scenario) {
        LongStream seeds = ONLY_SEED.map(LongStream::of).orElseGet(() -> LongStream.rangeClosed(1, seeds(scenario)));
        List<OperatorReport> reports = seeds.parallel()
                .mapToObj(seed -> OperatorSimulation.run(scenario, seed))
                .toList();
        for (OperatorReport report : reports) {
            assertTrue(report.violations().isEmpty(), report::toString);
        }
    }

    @Test
    void theSameSeedGivesTheSameRunAndAnotherOneAnotherRun() {
        OperatorScenario scenario = OperatorScenario.named("everything");
        OperatorReport first = OperatorSimulation.run(scenario, 3);
        assertEquals(first, OperatorSimulation.run(scenario, 3));
        assertNotEquals(first.digest(), OperatorSimulation.run(scenario, 4).digest());
    }

    @Test
    void aNameThatIsNoScenarioIsBadInput() {
        assertEquals(2, SimulateOperator.run("--scenario", "stormy"));
        assertEquals(2, SimulateOperator.run("--seed"));
    }
}

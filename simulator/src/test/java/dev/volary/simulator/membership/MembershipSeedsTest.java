// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * All scenarios of failure detection over consecutive seeds; {@code -Dvolary.seed} and {@code -Dvolary.membership} run one of them
 * alone.
 */
class MembershipSeedsTest {
    private static final int SEEDS = 60;
    private static final Optional<Long> ONLY_SEED = Optional.ofNullable(Long.getLong("volary.seed"));
    private static final Optional<String> ONLY = Optional.ofNullable(System.getProperty("volary.membership"));

    @TestFactory
    Stream<DynamicTest> everyCrashIsDetectedInTimeAndNoLiveMemberIsDeclaredDead() {
        return MembershipScenario.all().stream()
                .filter(scenario -> ONLY.map(scenario.name()::equals).orElse(true))
                .map(scenario -> DynamicTest.dynamicTest(scenario.name(), () -> holds(scenario)));
    }

    private static void holds(MembershipScenario scenario) {
        LongStream seeds = ONLY_SEED.map(LongStream::of).orElseGet(() -> LongStream.rangeClosed(1, SEEDS));
        List<MembershipReport> reports = seeds.parallel()
                .mapToObj(seed -> MembershipScenarioRun.run(scenario, seed))
                .toList();
        for (MembershipReport report : reports) {
            assertTrue(report.violations().isEmpty(), report::toString);
        }
    }

    @Test
    void aCalmGroupSendsAtMostSixMessagesPerSecondAndMember() {
        for (String name : List.of("calm", "loss")) {
            double mean = LongStream.rangeClosed(1, 20)
                    .mapToObj(seed -> MembershipScenarioRun.run(MembershipScenario.named(name), seed))
                    .mapToDouble(MembershipReport::messagesPerSecond)
                    .average()
                    .orElseThrow();
            assertTrue(mean <= 6, name + ": " + mean);
        }
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        MembershipScenario scenario = MembershipScenario.named("crash-under-loss");
        assertEquals(MembershipScenarioRun.run(scenario, 7), MembershipScenarioRun.run(scenario, 7));
    }

    @Test
    void aNameThatIsNoScenarioIsBadInput() {
        assertEquals(2, SimulateMembership.run("--scenario", "stormy"));
        assertEquals(2, SimulateMembership.run("--seed"));
        assertEquals(0, SimulateMembership.run("--scenario", "calm"));
    }
}

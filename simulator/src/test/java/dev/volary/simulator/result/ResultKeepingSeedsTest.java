// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** All scenarios of holders over consecutive seeds; {@code -Dvolary.seed} runs one of them alone, {@code -Dvolary.seeds} more. */
class ResultKeepingSeedsTest {
    private static final Optional<Long> ONLY_SEED = Optional.ofNullable(Long.getLong("volary.seed"));
    private static final long SEEDS = Long.getLong("volary.seeds", 500);

    @TestFactory
    Stream<DynamicTest> noResultIsLostBeforeItIsFetched() {
        return Stream.of(ResultScenario.values())
                .map(scenario -> DynamicTest.dynamicTest(scenario.label(), () -> holds(scenario)));
    }

    private static final int SHOWN = 5;

    private static void holds(ResultScenario scenario) {
        LongStream seeds = ONLY_SEED.map(LongStream::of).orElseGet(() -> LongStream.rangeClosed(1, SEEDS));
        List<String> violations = seeds.parallel()
                .boxed()
                .flatMap(seed -> ResultKeepingSimulation.run(scenario, seed).stream()
                        .map(violation -> "seed " + seed + ", " + violation))
                .limit(SHOWN)
                .toList();
        assertEquals(List.of(), violations);
    }
}

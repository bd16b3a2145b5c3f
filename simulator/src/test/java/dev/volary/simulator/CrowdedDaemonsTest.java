package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Without a standby a lost daemon's block goes to one that has a block of its own. */
class CrowdedDaemonsTest {
    @Test
    void theProcessThatComesInTheLostOnesPlaceRelievesItOnceItFindsCopies() {
        LongStream.rangeClosed(1, 20)
                .parallel()
                .mapToObj(seed ->
                        Simulation.of(Scenario.named("crash-crowded"), seed).run())
                .forEach(report -> {
                    assertTrue(report.violations().isEmpty(), report::toString);
                    assertEquals(1, report.lost(), report::toString);
                    assertEquals(2, report.reassigned(), report::toString);
                });
    }
}

package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.HaloKey;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Member;
import dev.volary.protocol.PartResidual;
import dev.volary.protocol.halo.HaloOrder;
import dev.volary.protocol.snapshot.PlantedRules;
import dev.volary.protocol.snapshot.SnapshotRules;
import dev.volary.protocol.spawner.JobConfig;
import dev.volary.protocol.spawner.PlantedSpawners;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.solver.Residual;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A judge that never finds anything proves nothing: each planted bug must be found, and by the invariant that is about it. */
class PlantedBugsTest {
    private static final long FIRST_SEED = 1;
    private static final int SEEDS = 20;

    /** Violations over some seeds, one text for each run. */
    private static List<String> violations(String scenario, Supplier<Wiring> wiring) {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
                .mapToObj(seed -> Simulation.of(Scenario.named(scenario), seed, wiring.get())
                        .run())
                .map(report -> String.join("\n", report.violations()))
                .toList();
    }

    private static void isFound(List<String> violations, String by) {
        assertTrue(
                violations.stream().anyMatch(text -> text.contains(by)),
                () -> "no run says \"" + by + "\" among " + violations);
    }

    private static Wiring ruled(SnapshotRules rules) {
        return new Wiring() {
            @Override
            SpawnerMachine spawner(Member self, JobShape shape, JobConfig config, long seed) {
                return PlantedSpawners.of(self, shape, config, seed, rules);
            }
        };
    }

    @Test
    void withoutTheHashCheckAPartThatUsedSomethingElseIsCertified() {
        isFound(violations("stale", () -> ruled(PlantedRules.withoutHashCheck())), "was never evaluated with what");
    }

    @Test
    void aLocalHintTakenForTheResidualIsFalselyCertified() {
        isFound(
                violations("bursts", () -> new Wiring() {
                    @Override
                    PartResidual evaluated(Residual residual, double localHint) {
                        return new PartResidual(localHint, localHint * localHint, 0);
                    }
                }),
                "above the tolerance");
    }

    @Test
    void aKeyWithoutIncarnationLetsAZombieIn() {
        isFound(
                violations("stale", () -> new Wiring() {
                    private final Map<HaloOrder, Long> newest = new HashMap<>();

                    @Override
                    HaloOrder.Verdict order(HaloOrder order, HaloKey key) {
                        Long before = newest.get(order);
                        if (before != null && key.iteration() <= before) {
                            return HaloOrder.Verdict.OLD;
                        }
                        newest.put(order, key.iteration());
                        return HaloOrder.Verdict.NEWER;
                    }
                }),
                "took data of an old incarnation");
    }

    @Test
    void aCommitBeforeAllPartsAreStoredDeliversAVectorWithHoles() {
        isFound(violations("calm", () -> ruled(PlantedRules.firstPartIsEnough())), "are delivered");
    }

    @Test
    void nothingIsFoundWhereNothingIsPlanted() {
        for (String scenario : List.of("stale", "bursts", "calm")) {
            assertFalse(
                    violations(scenario, Wiring::new).stream().anyMatch(text -> !text.isEmpty()),
                    "a run without a planted bug was found guilty in " + scenario);
        }
    }
}

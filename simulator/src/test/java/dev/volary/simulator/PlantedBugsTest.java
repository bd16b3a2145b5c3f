// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.config.TreeRules;
import dev.volary.protocol.convergence.PlantedTrees;
import dev.volary.protocol.halo.HaloOrder;
import dev.volary.protocol.halo.StepRelation;
import dev.volary.protocol.machine.Action;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.rollback.PlantedRollbacks;
import dev.volary.protocol.snapshot.PlantedRules;
import dev.volary.protocol.snapshot.SnapshotRules;
import dev.volary.protocol.spawner.PlantedSpawners;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.Scenarios;
import dev.volary.simulator.scenario.TestHooks;
import dev.volary.solver.Residual;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A checker that never finds anything proves nothing: each planted bug must be found, and by the invariant that is about it. */
class PlantedBugsTest {
    private static final long FIRST_SEED = 1;
    private static final int SEEDS = 20;

    /** Violations over some seeds, one text for each run; a run is made when it is looked at. */
    private static Stream<String> violations(String scenario, Supplier<TestHooks> hooks) {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
                .mapToObj(seed -> Simulation.of(Scenarios.named(scenario), seed, hooks.get())
                        .run())
                .map(report -> String.join("\n", report.violations()));
    }

    private static void isFound(Stream<String> violations, String by) {
        assertTrue(violations.anyMatch(text -> text.contains(by)), () -> "no run says \"" + by + "\"");
    }

    private static TestHooks ruled(SnapshotRules rules) {
        return new TestHooks() {
            @Override
            public SpawnerMachine spawner(Member self, JobGraph graph, SpawnerConfig config, long seed) {
                return PlantedSpawners.of(self, graph, config, seed, rules);
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
                violations("bursts", () -> new TestHooks() {
                    @Override
                    public PartialResidual evaluated(Residual residual, double localHint) {
                        return new PartialResidual(localHint, localHint * localHint, 0);
                    }
                }),
                "the delivered vector has");
    }

    @Test
    void aKeyWithoutIncarnationLetsAZombieIn() {
        isFound(
                violations("stale", () -> new TestHooks() {
                    private final Map<HaloOrder, Long> newest = new HashMap<>();

                    @Override
                    public HaloOrder.Verdict order(HaloOrder order, BlockVersion key) {
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
    void aSnapshotThatGoesOnWithTheRecordOfALostDaemonNeverEnds() {
        isFound(violations("crash-in-snapshot", () -> ruled(PlantedRules.anyIncarnation())), "the job did not end");
    }

    @Test
    void aSearchThatDoesNotKnowWhatThereIsGoesBackTooFar() {
        isFound(
                violations("crash-slow-holders", () -> new TestHooks() {
                    @Override
                    public Optional<BackupVersion> known(Optional<BackupVersion> told) {
                        return Optional.empty();
                    }
                }),
                "goes back behind a copy that was known");
    }

    @Test
    void aReplacementWithoutANewIncarnationLetsTwoDaemonsServeABlock() {
        isFound(violations("crash", PlantedBugsTest::firstIncarnations), "is given to two daemons");
    }

    @Test
    void aRollbackToACheckpointThatIsNotDurableEverywhereIsNoticed() {
        isFound(
                violations("synchronous-in-checkpoint", () -> new TestHooks() {
                    @Override
                    public SpawnerMachine spawner(Member self, JobGraph graph, SpawnerConfig config, long seed) {
                        return PlantedSpawners.of(self, graph, config, seed, PlantedRollbacks.newestOfAny());
                    }
                }),
                "which it does not hold");
    }

    @Test
    void aRollbackWithoutNewIncarnationsIsNoticed() {
        isFound(violations("synchronous-crash", PlantedBugsTest::firstIncarnations), "is given to two daemons");
    }

    @Test
    void aHaloOfAnEarlierEpochThatIsTakenIsNoticed() {
        isFound(
                violations("synchronous-pause", () -> new TestHooks() {
                    @Override
                    public HaloOrder.Verdict order(HaloOrder order, BlockVersion key) {
                        return HaloOrder.Verdict.NEWER;
                    }
                }),
                "took a halo of");
    }

    private static TestHooks treeOf(TreeRules rules) {
        return new TestHooks() {
            @Override
            public TreeRules tree() {
                return rules;
            }
        };
    }

    private static double refusals(String scenario, TreeRules rules) {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
                .mapToObj(seed -> Simulation.of(Scenarios.named(scenario), seed, treeOf(rules))
                        .run())
                .peek(report -> assertTrue(report.violations().isEmpty(), report::toString))
                .mapToInt(SimulationReport::refusals)
                .sum();
    }

    /** What the tree says falsely costs a snapshot, which refuses; the job ends certified all the same. */
    @Test
    void aTreeThatClaimsWithoutVerifyingIsRefusedBySnapshots() {
        double verified = refusals("tree", TreeRules.standard());
        double hasty = refusals("tree", PlantedTrees.withoutVerification());
        assertTrue(hasty > 2 * verified, () -> hasty + " claims refused, " + verified + " with a verification");
    }

    @Test
    void aTreeWithoutTheCrashRuleIsNeverHeardAgain() {
        isFound(violations("tree-in-snapshot", () -> treeOf(PlantedTrees.withoutCrashRule())), "no block claimed");
    }

    /** Whoever is told of a block hears that it is in its first incarnation. */
    private static TestHooks firstIncarnations() {
        return new TestHooks() {
            @Override
            public Message sent(Message message) {
                return switch (message) {
                    case BlockMessage.Assign m -> new BlockMessage.Assign(m.term(), first(m.blocks()), m.copies());
                    case BlockMessage.DirectoryUpdate m ->
                        new BlockMessage.DirectoryUpdate(m.version(), first(m.entries()));
                    default -> message;
                };
            }
        };
    }

    private static List<BlockAssignment> first(List<BlockAssignment> entries) {
        return entries.stream()
                .map(entry -> new BlockAssignment(
                        entry.block(), new Incarnation(entry.incarnation().term(), 1), entry.daemon()))
                .toList();
    }

    @Test
    void aRegisterWithoutVersionsIsNoticed() {
        isFound(
                violations("crash", () -> new TestHooks() {
                    @Override
                    public Message sent(Message message) {
                        return message instanceof BlockMessage.DirectoryUpdate m
                                ? new BlockMessage.DirectoryUpdate(1, m.entries())
                                : message;
                    }
                }),
                "whose entries are others");
    }

    @Test
    void aFencedDaemonThatGoesOnIsNoticed() {
        isFound(
                violations("false-verdict", () -> new TestHooks() {
                    @Override
                    public boolean does(Action action) {
                        return !(action instanceof DaemonAction.DropBlock || action instanceof WorkerAction.Restart);
                    }
                }),
                "is still computed by");
    }

    @Test
    void anOldIncarnationThatIsStillHeardIsNoticed() {
        isFound(
                violations("stale", () -> new TestHooks() {
                    @Override
                    public HaloOrder.Verdict order(HaloOrder order, BlockVersion key) {
                        HaloOrder.Verdict verdict = order.offer(key);
                        return verdict == HaloOrder.Verdict.FENCED ? HaloOrder.Verdict.NEWER : verdict;
                    }
                }),
                "took data of an old incarnation");
    }

    private interface Spawners {
        SpawnerMachine of(Member self, JobGraph graph, SpawnerConfig config, long seed);
    }

    private static TestHooks spawners(Spawners planted) {
        return new TestHooks() {
            @Override
            public SpawnerMachine spawner(Member self, JobGraph graph, SpawnerConfig config, long seed) {
                return planted.of(self, graph, config, seed);
            }
        };
    }

    @Test
    void anOldLeadThatFinishesWithoutTheLogEndsTheJobTwice() {
        isFound(violations("cut-lead", () -> spawners(PlantedSpawners::withoutLog)), "are both the last");
    }

    @Test
    void aRecordThatCountsBeforeAllMembersHaveItEndsTheJobTwice() {
        isFound(violations("cut-lead", () -> spawners(PlantedSpawners::firstMemberIsEnough)), "are both the last");
    }

    @Test
    void withoutAPromiseAnOldLeadStillFinishes() {
        isFound(violations("late-lead", () -> spawners(PlantedSpawners::withoutPromise)), "are both the last");
    }

    @Test
    void aLeadThatAnnouncesTheResultWithoutTheLogEndsTheJobTwice() {
        isFound(violations("cut-lead-in-delivery", () -> spawners(PlantedSpawners::withoutLog)), "ended twice");
    }

    @Test
    void aResultThatOnlyTheLeadHoldsIsNotAnnounced() {
        isFound(
                violations(
                        "crash-lead-in-delivery",
                        () -> spawners((self, graph, config, seed) ->
                                new SpawnerMachine(self, graph, config.withResultCopies(1), seed))),
                "the job ends with its result in 1 spawners");
    }

    @Test
    void theWordOfADaemonOnTheSameMachineLetsOneThatIsCutOffTakeOver() {
        isFound(
                violations("cut-machine", () -> spawners(PlantedSpawners::withoutDoubt)),
                "was declared dead by a machine that was cut off");
    }

    @Test
    void aTakeoverUnderTheSameTermIsNotObeyed() {
        isFound(
                violations("crash-spawner-of-three", () -> new TestHooks() {
                    @Override
                    public Message sent(Message message) {
                        return message instanceof RegistrationMessage.GroupAdopted(GroupTerm term)
                                ? new RegistrationMessage.GroupAdopted(new GroupTerm(term.n() - 1, term.owner()))
                                : message;
                    }
                }),
                "though only spawners died");
    }

    @Test
    void aBackupOfAnOlderIncarnationThatIsKeptIsNoticed() {
        isFound(
                violations("pause-in-backup", () -> new TestHooks() {
                    @Override
                    public boolean keeps(Optional<BlockVersion> newest, BlockVersion offered) {
                        return true;
                    }
                }),
                "was kept after one by");
    }

    @Test
    void aStepThatIsCommittedBeforeAllItsPartsAreStoredIsNoticed() {
        isFound(violations("steps", () -> ruled(PlantedRules.firstPartIsEnough())), "is logged with only");
    }

    @Test
    void aPartThatIsSaidToBeStoredTooEarlyIsLostWithItsDaemon() {
        isFound(
                violations("steps-crash-in-commit-no-backup", () -> new TestHooks() {
                    @Override
                    public boolean storesAtOnce() {
                        return false;
                    }
                }),
                "the result of a committed step is lost");
    }

    @Test
    void aBlockThatCommitsItsOwnIterateIsNoticed() {
        isFound(
                violations("steps-crash-in-commit", () -> new TestHooks() {
                    @Override
                    public double[] committed(double[] recorded, double[] iterate) {
                        return iterate;
                    }
                }),
                "commits other values for step");
    }

    @Test
    void anOldStepsHaloTakenForANewOneIsNoticed() {
        isFound(
                violations("steps", () -> new TestHooks() {
                    @Override
                    public StepRelation fit(int own, int halo) {
                        return halo < own ? StepRelation.OWN : StepRelation.of(own, halo);
                    }
                }),
                "took data of step");
    }

    @Test
    void nothingIsFoundWhereNothingIsPlanted() {
        for (String scenario : List.of(
                "cut-lead",
                "late-lead",
                "crash-spawner-of-three",
                "stale",
                "bursts",
                "calm",
                "crash",
                "storm",
                "pause-in-backup",
                "false-verdict",
                "steps",
                "steps-crash-in-commit",
                "tree-in-snapshot",
                "synchronous-pause",
                "synchronous-twice")) {
            assertFalse(
                    violations(scenario, TestHooks::new).anyMatch(text -> !text.isEmpty()),
                    "a run without a planted bug was found guilty in " + scenario);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mutant.Mutant;
import dev.volary.mutant.Mutant.Edit;
import dev.volary.mutant.SimulatedRun;
import dev.volary.mutant.SimulatedRun.Observed;
import dev.volary.simulator.membership.MembershipRun;
import dev.volary.simulator.result.ResultKeepingRun;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A check that never fails proves nothing: each mutant must be caught, and by the invariant that is about it. Without a mutant
 * the same scenarios and seeds have no violations, as {@link SeedsTest} and {@code WatchSeedsTest} show. A mutant is a row of the
 * table below.
 */
class MutantsTest {
    private static final long FIRST_SEED = 1;
    private static final int JOB_SEEDS = 60;
    private static final int TREE_SEEDS = 20;
    private static final int MEMBERSHIP_SEEDS = 40;
    private static final int RESULT_SEEDS = 100;

    static final Edit HINT_AS_RESIDUAL = in(
            "simulator/job/SimulatedSnapshots",
            "PartialResidual residual = partial(exact);",
            "PartialResidual residual = new PartialResidual(block.hint, block.hint * block.hint, 0);");

    /**
     * A mutant and what must catch it.
     *
     * @param bug what is wrong, as the name of a test
     * @param kind what runs the scenario
     * @param seeds of which one must show the bug
     * @param violation part of the text of the violation
     */
    private record Row(
            String bug,
            Class<? extends SimulatedRun> kind,
            int seeds,
            String scenario,
            String violation,
            Mutant mutant) {}

    private static Row job(String bug, String scenario, String violation, Edit... edits) {
        return new Row(bug, JobRun.class, JOB_SEEDS, scenario, violation, new Mutant(List.of(edits)));
    }

    private static Row membership(String bug, String scenario, String violation, Edit... edits) {
        return new Row(bug, MembershipRun.class, MEMBERSHIP_SEEDS, scenario, violation, new Mutant(List.of(edits)));
    }

    private static Row result(String bug, String scenario, String violation, Edit... edits) {
        return new Row(bug, ResultKeepingRun.class, RESULT_SEEDS, scenario, violation, new Mutant(List.of(edits)));
    }

    private static Edit in(String file, String line, String replacement) {
        return new Edit(file, line, replacement);
    }

    private static final Edit[] FIRST_PART_IS_ENOUGH = {
        in("protocol/snapshot/GroupSnapshots", "if (stored.size() == blocks.size()) {", "if (!stored.isEmpty()) {"),
        in(
                "protocol/snapshot/OpenSnapshot",
                "if (part.digest() != SnapshotDigest.ofStored(message.parts())) {",
                "if (false) {"),
        in(
                "protocol/snapshot/OpenSnapshot",
                "if (blocks.size() == group.blocks().size()) {",
                "if (!blocks.isEmpty()) {")
    };

    private static final Edit[] WITHOUT_LOG = {
        in("protocol/leader/Leader", "if (log.isDeposed()) {", "if (false) {"),
        in(
                "protocol/leader/DecisionLog",
                "if (held.isPresent() && !ended && log.holds(held.get().record())) {",
                "if (held.isPresent() && !ended) {")
    };

    private static final List<Row> TABLE = List.of(
            // ---- snapshots -----------------------------------------------------------------------------------------
            job(
                    "a part that used other values than its neighbor recorded is certified",
                    "stale",
                    "was never evaluated with what",
                    in("protocol/snapshot/EdgeCheck", "if (own != null && !halo.equals(own)) {", "if (false) {")),
            job("a local hint is taken for the residual", "bursts", "the delivered vector has", HINT_AS_RESIDUAL),
            job("a snapshot is committed before all parts are stored", "calm", "are delivered", FIRST_PART_IS_ENOUGH),
            job(
                    "a time step is committed before all its parts are stored",
                    "steps",
                    "is logged with only",
                    FIRST_PART_IS_ENOUGH),
            job(
                    "a time step is decided while an earlier one is still put together for the result",
                    "steps-output-crash-lead-in-commit",
                    "lacks the output step",
                    in(
                            "protocol/snapshot/LeaderSnapshots",
                            "} else if (steps.isAssembling()) {",
                            "} else if (false) {")),
            job(
                    "a time step counts as kept though the storage did not take it",
                    "steps-output-published",
                    "the job did not end",
                    in("protocol/stepping/StepAssembly", "nextAt = turn.now() + pause;", "open = Optional.empty();")),
            job(
                    "the parts of a committed step stay where daemons brought them",
                    "steps-holders-in-turn",
                    "StateLost",
                    in("protocol/leader/PartCopies", "if (isHere && isElsewhere) {", "if (true) {")),
            job(
                    "a new leader takes a step in the log for one that was put together",
                    "steps-output-crash-lead-in-commit",
                    "lacks the output step",
                    in(
                            "protocol/stepping/LeaderSteps",
                            "if (outputEvery > 0 && record.step() % outputEvery == 0) {",
                            "if (outputEvery > 0 && record.step() % outputEvery == 0 && committed.isPresent()) {")),
            job(
                    "the former owner of a block keeps nothing of it",
                    "crash-moved-block",
                    "though its former owner lives",
                    in(
                            "protocol/daemon/BlockLifecycle",
                            "turn.add(new DaemonAction.DropBlock(block, own.incarnation, !rollsBack));",
                            "turn.add(new DaemonAction.DropBlock(block, own.incarnation, false));")),
            job(
                    "a backup that is not found at once is not searched for again",
                    "crash-late-holders",
                    "is not offered",
                    in(
                            "protocol/backup/RestoreDecision",
                            "return now + again <= searchUntil ? OptionalLong.of(now + again) : OptionalLong.empty();",
                            "return OptionalLong.empty();")),
            job(
                    "the leader waits for a part that no spawner took in time",
                    "stores-time-out",
                    "the job did not end",
                    in(
                            "protocol/snapshot/LeaderSnapshots",
                            "} else if (failed.isTemporary()) {",
                            "} else if (failed.isTemporary()) {\n return true;\n } else if (false) {")),
            job(
                    "a snapshot goes on with the record of a lost daemon",
                    "crash-in-snapshot",
                    "the job did not end",
                    in(
                            "protocol/snapshot/GroupSnapshots",
                            ".filter(entry -> part.own().incarnation().equals(entry.incarnation()))",
                            ""),
                    in(
                            "protocol/snapshot/GroupSnapshots",
                            "if (open && !stored.keySet().containsAll(replaced)) {",
                            "if (false) {")),
            // ---- the deadline --------------------------------------------------------------------------------------
            job(
                    "a job ends at its deadline with the newest snapshot, though a kept one is better",
                    "deadline-crash",
                    "though snapshot",
                    in(
                            "protocol/snapshot/LeaderSnapshots",
                            "Optional<KeptAnswer> better = isCertified ? Optional.empty() : deadline.insteadOf(residual);",
                            "Optional<KeptAnswer> better = Optional.empty();")),
            job(
                    "the best answer is kept though parts of it are lost",
                    "deadline-crash",
                    "without a result",
                    in("protocol/snapshot/LeaderSnapshots", "best.lost(of);", ""),
                    in(
                            "protocol/leader/Leader",
                            "withdrawn.filter(of -> of.sid() == answer.sid()).isEmpty())",
                            "true)")),
            job(
                    "a new leader does not know the best answer",
                    "deadline-crash",
                    "though snapshot",
                    in(
                            "protocol/leader/Leader",
                            ".ifPresent(answer -> snapshots.get().resume(answer));",
                            ".isPresent();")),
            // ---- halos ---------------------------------------------------------------------------------------------
            job(
                    "halos are ordered by their iteration alone",
                    "stale",
                    "took data of an old incarnation",
                    in(
                            "protocol/halo/HaloOrder",
                            "int order = compareIncarnation(n, owner, counter);",
                            "int order = 0;")),
            job(
                    "a halo of an old incarnation is read",
                    "stale",
                    "took data of an old incarnation",
                    in("protocol/halo/HaloOrder", "return Verdict.FENCED;", "return Verdict.NEWER;")),
            job(
                    "a halo of an earlier epoch is read",
                    "synchronous-pause",
                    "took a halo of",
                    in(
                            "protocol/halo/HaloOrder",
                            "return offer(inc.term().n(), inc.term().owner().value(), inc.counter(), key.step(), key.iteration());",
                            "return Verdict.NEWER;")),
            job(
                    "a halo of an earlier time step is read",
                    "steps",
                    "took data of step",
                    in(
                            "protocol/halo/StepRelation",
                            "return halo > own ? AHEAD : BEHIND;",
                            "return halo > own ? AHEAD : OWN;")),
            // ---- replaced blocks -----------------------------------------------------------------------------------
            job(
                    "a replaced block keeps its incarnation",
                    "crash",
                    "is given to two daemons",
                    in(
                            "protocol/directory/BlockAssignments",
                            "return new Incarnation(term, Math.max(counter + 1, leastCounter));",
                            "return new Incarnation(term, 1);")),
            job(
                    "versions of directory updates do not grow",
                    "crash",
                    "whose entries are others",
                    in("protocol/directory/DirectoryPublisher", "newestVersion = version;", "")),
            job(
                    "a fenced daemon goes on",
                    "false-verdict",
                    "is still computed by",
                    in(
                            "protocol/daemon/BlockLifecycle",
                            "turn.add(new DaemonAction.DropBlock(block, own.incarnation, !rollsBack));",
                            ""),
                    in(
                            "protocol/daemon/DaemonMachine",
                            "turn.add(shutdown.isRequested() ? new DaemonAction.Exit() : new WorkerAction.Restart());",
                            "")),
            job(
                    "a daemon forgets the members of its group",
                    "crash",
                    "whom it does not know",
                    in("protocol/daemon/DaemonMachine", "needed.addAll(failureDetection.members());", "")),
            job(
                    "a search does not know how new the newest backup is",
                    "crash-slow-holders",
                    "goes back behind a copy that was known",
                    in("protocol/backup/BackupSearch", "this.known = known;", "this.known = Optional.empty();"),
                    in(
                            "protocol/backup/BackupSearch",
                            "this.patientUntil = now + (known.isPresent() ? patience.known() : patience.unknown()).toNanos();",
                            "this.patientUntil = now + patience.unknown().toNanos();")),
            job(
                    "a holder replaces a backup by one of an older incarnation",
                    "pause-in-backup",
                    "was kept after one by",
                    in(
                            "simulator/job/SimulatedBackups",
                            "boolean keeps = newest.filter(known -> known.incarnation().compareTo(backup.key.incarnation()) > 0)",
                            "boolean keeps = newest.filter(known -> false)")),
            // ---- rollbacks -----------------------------------------------------------------------------------------
            job(
                    "blocks roll back to a checkpoint that some do not hold",
                    "synchronous-in-checkpoint",
                    "which it does not hold",
                    in("protocol/model/CheckpointGeneration", "common.retainAll(list);", "common.addAll(list);")),
            job(
                    "blocks roll back without new incarnations",
                    "synchronous-crash",
                    "is given to two daemons",
                    in(
                            "protocol/directory/BlockAssignments",
                            "return new Incarnation(term, Math.max(counter + 1, leastCounter));",
                            "return new Incarnation(term, 1);"),
                    in(
                            "protocol/directory/BlockAssignments",
                            "table.renew(new Incarnation(term, counter));",
                            "table.renew(new Incarnation(term, 1));")),
            // ---- time steps ----------------------------------------------------------------------------------------
            job(
                    "a part is said to be stored before it is",
                    "steps-crash-in-commit-no-backup",
                    "the result of a committed step is lost",
                    in("simulator/job/SimulatedSnapshots", "daemon.simulation.sink.put(action.sid(), own, core);", "")),
            job(
                    "a block commits its own iterate",
                    "steps-crash-in-commit",
                    "commits other values for step",
                    in(
                            "simulator/job/SimulatedStepCommits",
                            "block.commit(record.step(), values, halos, lockStep);",
                            "block.commit(record.step(), block.core(), halos, lockStep);")),
            // ---- convergence detection -----------------------------------------------------------------------------
            job(
                    "the tree does not restart after a replacement",
                    "tree-in-snapshot",
                    "no block claimed",
                    in(
                            "protocol/convergence/TreeDetector",
                            "if (before != null && before.compareTo(incarnation) < 0) {",
                            "if (false) {")),
            // ---- leaders and group owners --------------------------------------------------------------------------
            job("a deposed leader ends the job without the log", "cut-lead", "are both the last", WITHOUT_LOG),
            job(
                    "a deposed leader announces the result without the log",
                    "cut-lead-in-delivery",
                    "ended twice",
                    WITHOUT_LOG),
            job(
                    "a log entry counts once one member has it",
                    "cut-lead",
                    "are both the last",
                    in(
                            "protocol/log/ReplicatedLog",
                            "while (everywhere > 0 && have(members, everywhere) < members.size()) {",
                            "while (everywhere > 0 && have(members, everywhere) == 0) {")),
            job(
                    "a member that promised a newer term takes entries of an older one",
                    "late-lead",
                    "are both the last",
                    in("protocol/log/LogReplica", "if (write.term() < Math.max(promised, term)) {", "if (false) {"),
                    in("protocol/spawner/SpawnerFailureDetection", "if (known) {", "if (false) {")),
            job(
                    "a result is announced that only the leader holds",
                    "crash-lead-in-delivery",
                    "the job ends with its result in 1 spawners",
                    in(
                            "protocol/leader/Leader",
                            "snapshots.ifPresent(r -> r.assembled(sid, config.resultCopies() > 1, decided));",
                            "snapshots.ifPresent(r -> r.assembled(sid, false, decided));")),
            job(
                    "a job ends before its result is published",
                    "crash-lead-in-publication",
                    "before its result is in the storage",
                    in("protocol/snapshot/ResultDelivery", "if (publishes) {", "if (false) {"),
                    in("protocol/snapshot/ResultDelivery", "return !publishes;", "return true;")),
            job(
                    "a leader gives up at the first failure of the storage",
                    "published",
                    "gives up on a storage that takes the result",
                    in("protocol/leader/ResultPublication", "isOver = turn.now() >= giveUpAt;", "isOver = true;")),
            job(
                    "a spawner that is cut off believes daemons on its own machine",
                    "cut-machine",
                    "was declared dead by a machine that was cut off",
                    in(
                            "protocol/spawner/SpawnerFailureDetection",
                            "suspect.filter(s -> !self.believes(orphan.daemon(), s)).isEmpty()",
                            "true")),
            job(
                    "a machine that is cut off for long declares the other spawner dead",
                    "cut-machine-long",
                    "was declared dead by a machine that was cut off",
                    in("protocol/membership/SpawnerMonitor", "if (!isElsewhere) {", "if (true) {")),
            job(
                    "a group is adopted without a new term",
                    "crash-spawner-of-three",
                    "though only spawners died",
                    in(
                            "protocol/spawner/GroupMembers",
                            "unconfirmed.forEach(daemon -> turn.send(daemon, new RegistrationMessage.GroupAdopted(term)));",
                            "unconfirmed.forEach(daemon -> turn.send(daemon, new RegistrationMessage.GroupAdopted(new GroupTerm(term.n() - 1, term.owner()))));")),
            // ---- rounds --------------------------------------------------------------------------------------------
            job(
                    "a round is made twice, and its correction applied twice",
                    "rounds",
                    "a second time",
                    in(
                            "simulator/job/SimulatedIterations",
                            "block.iteration++;",
                            "block.iteration += block.iteration % 2 == 0 ? 1 : 0;")),
            job(
                    "a halo of another iterate than that of the round is read",
                    "rounds-lossy",
                    "and reads one of round",
                    in("protocol/halo/RoundGate", "return !isFirst && held[source] < completed;", "return !isFirst;")),
            job(
                    "a halo of the next round overwrites one of this round that was not read yet",
                    "rounds",
                    "has lost a halo of round",
                    in(
                            "simulator/job/SimulatedRounds",
                            "if (before.size() == RoundSlots.HALOS_KEPT) {",
                            "if (before.size() == 1) {")),
            job(
                    "a block reads in its first iteration what others have sent before it opened",
                    "rounds",
                    "reads halos in its first iteration",
                    in(
                            "protocol/halo/RoundGate",
                            "return !isFirst && held[source] < completed;",
                            "return held[source] < completed;")),
            job(
                    "a round is complete without halos of it",
                    "rounds",
                    "for complete with",
                    in("protocol/halo/RoundGate", "if (each < completed) {", "if (each < completed - 1) {")),
            job(
                    "a round does not wait",
                    "rounds-crash",
                    "does not wait for the halos of round",
                    in("protocol/halo/RoundGate", "return isComplete() || isOverdue(nowNanos);", "return true;")),
            job(
                    "a round waits for a dead block as long as it takes",
                    "rounds-slow-replacement",
                    "beyond its patience",
                    in(
                            "protocol/halo/RoundGate",
                            "return isComplete() || isOverdue(nowNanos);",
                            "return isComplete();")),
            job(
                    "a restored block publishes without healing",
                    "rounds-crash-coarse",
                    "before it has healed",
                    in("protocol/halo/RoundSchedule", "return healing > 0;", "return false;")),
            job(
                    "what is lost is not published again",
                    "rounds-lossy",
                    "does not publish again",
                    in("protocol/halo/RoundSchedule", "if (nowNanos - repeatAt < 0) {", "if (true) {")),
            job(
                    "the residual of a round is taken for that of the snapshot",
                    "rounds-lossy",
                    "the delivered vector has",
                    HINT_AS_RESIDUAL),
            job(
                    "a snapshot mixes the residual of one round with the vector of another",
                    "rounds-lossy",
                    "the delivered vector has",
                    in(
                            "simulator/job/SimulatedSnapshots",
                            "Residual exact = block.block.residual(core, SimulatedBlock.halos(halos));",
                            "Residual exact = block.block.residual(block.core(), SimulatedBlock.halos(halos));")),
            // ---- fetches, storage, processors ----------------------------------------------------------------------
            job(
                    "a copy that broke off counts as a copy",
                    "fetch-in-pieces",
                    "the job ends with its result in 1 spawners",
                    in("protocol/leader/ResultCopy", "why = failed.reason();", "over = true;")),
            job(
                    "a commit whose fetch breaks off counts as lost",
                    "steps-fetch-in-pieces",
                    "the result of a committed step is lost",
                    in(
                            "protocol/stepping/DaemonSteps",
                            "return own.attempts < MOST_ATTEMPTS",
                            "return own.attempts < 2")),
            job(
                    "a leader gives up on a storage at its second failure",
                    "storage-outage",
                    "gives up on a storage that takes the result",
                    in(
                            "protocol/leader/ResultPublication",
                            "isOver = turn.now() >= giveUpAt;",
                            "isOver = pause > FIRST_PAUSE.toNanos();")),
            job(
                    "a process that wakes up late goes on under its old incarnation",
                    "starved-machine",
                    "is still computed by",
                    in(
                            "protocol/daemon/BlockLifecycle",
                            "turn.add(new DaemonAction.DropBlock(block, own.incarnation, !rollsBack));",
                            ""),
                    in(
                            "protocol/daemon/DaemonMachine",
                            "turn.add(shutdown.isRequested() ? new DaemonAction.Exit() : new WorkerAction.Restart());",
                            "")),
            // ---- failure detection ---------------------------------------------------------------------------------
            membership(
                    "a suspicion is a verdict",
                    "pauses",
                    "which lives",
                    in(
                            "protocol/membership/RingWithConfirmation",
                            "return suspicions.isConfirmed(open, turn);",
                            "return true;")),
            job(
                    "the state counts as lost before the search for a backup has ended",
                    "steps-crash-after-commit-late-parts",
                    "the result of a committed step is lost",
                    in(
                            "protocol/stepping/DaemonSteps",
                            "own.attempts += event.isSearched() ? 0 : 1;",
                            "own.attempts++;")),
            membership(
                    "a pause of the watcher counts as silence of the others",
                    "paused-watcher",
                    "though they sent",
                    in(
                            "protocol/membership/PauseDetector",
                            "longest = late + Math.min(waited, late);",
                            "longest = 0;")),
            membership(
                    "a member that runs late is allowed nothing for it",
                    "starved",
                    "which lives",
                    in(
                            "protocol/config/FailureDetectorConfig",
                            ": Math.min(2 * delayNanos, LONGEST_ALLOWANCE * timeout.toNanos());",
                            ": 0;")),
            membership(
                    "a suspicion is sent once",
                    "crash-under-loss",
                    "was never declared",
                    in(
                            "protocol/membership/SuspicionReporter",
                            "peerState.reportAt = turn.now() + config.probeNanos();",
                            "peerState.reportAt = Long.MAX_VALUE;")),
            membership(
                    "traffic that was sent but not received replaces heartbeats",
                    "other-traffic-held-up",
                    "though they sent",
                    in(
                            "protocol/membership/RingWithConfirmation",
                            "boolean acknowledgedTrafficReplacesHeartbeat() {",
                            "boolean sentTrafficReplacesHeartbeat() {")),
            // ---- after the end -------------------------------------------------------------------------------------
            result(
                    "a lost holder is not replaced",
                    "kills",
                    "1 of 2 spawners hold the result",
                    in("protocol/spawner/ResultKeeper", "this.wanted = copies - 1;", "this.wanted = 0;")),
            result(
                    "a holder that leaves counts on what it saw before",
                    "evictions-at-once",
                    "no disk has the result",
                    in("protocol/spawner/ResultKeeper", "others = List.of();", ""),
                    in("protocol/spawner/ResultKeeper", "if (leaving && begun < leavesAt) {", "if (false) {"),
                    in(
                            "simulator/result/SimulatedHolder",
                            "if (!holds || fetched) {",
                            "if (!holds || fetched || keeper.orElseThrow().isHeldElsewhere()) {")),
            result(
                    "a holder that leaves counts on another one that leaves",
                    "evictions-at-once",
                    "no disk has the result",
                    in("protocol/spawner/ResultKeeper", "return holds && !leaving;", "return holds;")),
            result(
                    "a holder that is silent for a moment counts as lost",
                    "silent-moments",
                    "though no spawner was lost",
                    in("protocol/spawner/ResultKeeper", "this.patience = patience.toNanos();", "this.patience = 0;")));

    @TestFactory
    Stream<DynamicTest> eachMutantIsCaught() {
        return TABLE.stream().map(row -> DynamicTest.dynamicTest(row.bug(), () -> isCaught(row)));
    }

    /** The first seed that shows the bug is enough. */
    private static void isCaught(Row row) {
        SimulatedRun runs = row.mutant().load(row.kind());
        assertTrue(
                LongStream.range(FIRST_SEED, FIRST_SEED + row.seeds())
                        .mapToObj(seed -> runs.run(row.scenario(), seed))
                        .flatMap(run -> run.violations().stream())
                        .anyMatch(text -> text.contains(row.violation())),
                () -> "no run of " + row.scenario() + " says \"" + row.violation() + "\"");
    }

    /** A false claim of the tree costs a snapshot, which refuses it; the job ends certified nevertheless. */
    @Test
    void aTreeThatClaimsWithoutVerifyingIsRefusedBySnapshots() {
        int verified = refusals(new Mutant(List.of()));
        int hasty = refusals(new Mutant(List.of(
                in("protocol/convergence/VerificationTreeNode", "verify(Optional.empty());", "claims = true;"))));
        assertTrue(hasty > 2 * verified, () -> hasty + " claims refused, " + verified + " with a verification");
    }

    private static int refusals(Mutant mutant) {
        SimulatedRun runs = mutant.load(JobRun.class);
        int refusals = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + TREE_SEEDS; seed++) {
            Observed run = runs.run("tree", seed);
            assertEquals(List.of(), run.violations());
            refusals += run.refusals();
        }
        return refusals;
    }
}

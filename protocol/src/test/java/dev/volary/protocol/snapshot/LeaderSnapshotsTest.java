// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.group;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.messages;
import static dev.volary.protocol.Samples.messagesTo;
import static dev.volary.protocol.Samples.receivers;
import static dev.volary.protocol.Samples.spawner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.SnapshotConfig;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.KeptAnswer;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.stepping.StepLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Two groups with one block each, in the chain 0 - 1; the tolerance is 1. */
class LeaderSnapshotsTest {
    /** Of each block. */
    private static final long ITERATIONS = 12;

    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Member ONE = spawner(1);
    private static final Member TWO = spawner(2);
    private static final TakeoverMessage.Plan PLAN =
            new TakeoverMessage.Plan(1, List.of(group(ONE, 1, 0), group(TWO, 1, 1)));
    private static final long SID = 1;
    private static final RecordedBlock ZERO = new RecordedBlock(0, incarnation(1, 1), 100);
    private static final RecordedBlock OTHER = new RecordedBlock(1, incarnation(2, 1), 101);
    private static final long MS = 1_000_000;
    private static final double GOOD = 0.5;
    private static final double BAD = 5;

    /** The log of a stationary problem: no step is ever written. */
    private static final class NoSteps implements StepLog {
        @Override
        public Optional<CommittedStep> newest() {
            return Optional.empty();
        }

        @Override
        public void write(CommittedStep record, SpawnerTurn turn) {
            throw new AssertionError("a stationary problem has no steps");
        }

        @Override
        public boolean counts(CommittedStep record) {
            return false;
        }
    }

    /** A log in which every record counts at once. */
    private static final class StepsAtOnce implements StepLog {
        private Optional<CommittedStep> newest = Optional.empty();

        @Override
        public Optional<CommittedStep> newest() {
            return newest;
        }

        @Override
        public void write(CommittedStep record, SpawnerTurn turn) {
            newest = Optional.of(record);
        }

        @Override
        public boolean counts(CommittedStep record) {
            return true;
        }
    }

    private static LeaderSnapshots inSteps(int steps, SnapshotConfig config, StepLog log) {
        return new LeaderSnapshots(chain(2, steps), config, RETRY, Duration.ofSeconds(10), PLAN, log);
    }

    private long now;

    private LeaderSnapshots leader =
            new LeaderSnapshots(chain(2), SnapshotConfig.of(1), RETRY, Duration.ofSeconds(10), PLAN, new NoSteps());

    private SpawnerTurn open() {
        leader.start(new SpawnerTurn(0));
        SpawnerTurn turn = new SpawnerTurn(0);
        leader.openNow(turn);
        return turn;
    }

    private SpawnerTurn received(SnapshotMessage.GroupReply reply) {
        SpawnerTurn turn = new SpawnerTurn(now);
        leader.received(reply, turn);
        return turn;
    }

    private SpawnerTurn part(long sid, Member group, RecordedBlock own, RecordedBlock used, PartialResidual residual) {
        return received(new SnapshotMessage.SnapshotGroupPart(
                sid,
                new GroupTerm(1, group.id()),
                1,
                List.of(own),
                List.of(used),
                List.of(),
                residual,
                ITERATIONS,
                SnapshotDigest.of(List.of(own)),
                0));
    }

    private SpawnerTurn parts(long sid, double residual) {
        part(sid, ONE, ZERO, OTHER, new PartialResidual(residual, 1, 0));
        return part(sid, TWO, OTHER, ZERO, new PartialResidual(residual, 1, 0));
    }

    private SpawnerTurn stored(long sid, Member group, RecordedBlock part) {
        return received(new SnapshotMessage.SnapshotGroupStored(
                sid, new GroupTerm(1, group.id()), List.of(new SnapshotMessage.StoredPart(part, 77))));
    }

    private static List<SnapshotMessage.StoredPart> allStored() {
        return List.of(new SnapshotMessage.StoredPart(ZERO, 77), new SnapshotMessage.StoredPart(OTHER, 77));
    }

    private void assemble() {
        open();
        parts(SID, GOOD);
        stored(SID, ONE, ZERO);
        stored(SID, TWO, OTHER);
    }

    private static boolean stores(SpawnerTurn turn) {
        return messages(turn).stream().anyMatch(SnapshotMessage.SnapshotStore.class::isInstance);
    }

    private static boolean finishes(SpawnerTurn turn) {
        return turn.actions().stream().anyMatch(SpawnerAction.Finish.class::isInstance);
    }

    private static Message record(long sid) {
        return new SnapshotMessage.RecordBlocks(0, sid);
    }

    @Test
    void aVectorWithinTheToleranceIsStoredAssembledAndDelivered() {
        assertEquals(List.of(record(SID), record(SID)), messages(open()));
        SpawnerTurn closed = parts(SID, GOOD);
        assertEquals(
                List.of(new SnapshotMessage.SnapshotStore(SID), new SnapshotMessage.SnapshotStore(SID)),
                messages(closed));
        assertEquals(List.of(), stored(SID, ONE, ZERO).actions());
        assertEquals(
                List.of(new SpawnerAction.AssembleResult(SID, GOOD, true, 0, ITERATIONS, allStored())),
                stored(SID, TWO, OTHER).actions());
        SpawnerTurn done = new SpawnerTurn(0);
        leader.assembled(SID, false, done);
        assertEquals(List.of(new SpawnerAction.Finish(new JobOutcome.Certified(SID, GOOD))), done.actions());
    }

    @Test
    void aStepIsDecidedOnceTheOutputStepBeforeIsPutTogether() {
        StepsAtOnce log = new StepsAtOnce();
        leader = inSteps(2, SnapshotConfig.of(1).withOutputEvery(1), log);
        assemble();
        assertEquals(1, log.newest.orElseThrow().step());
        leader.openNow(new SpawnerTurn(0));
        parts(SID + 1, GOOD);
        stored(SID + 1, ONE, ZERO);
        assertEquals(List.of(), stored(SID + 1, TWO, OTHER).actions());
        SpawnerTurn turn = new SpawnerTurn(0);
        leader.stepAssembled(1, turn);
        assertEquals(
                List.of(new SpawnerAction.AssembleResult(SID + 1, GOOD, true, 2, ITERATIONS, allStored())),
                turn.actions());
    }

    @Test
    void snapshotsHaveLaterNumbersThanThatOfAStepThatIsReportedAfterTheElection() {
        StepsAtOnce log = new StepsAtOnce();
        leader = inSteps(3, SnapshotConfig.of(1), log);
        long earlier = 5L << 32;
        log.newest = Optional.of(new CommittedStep(1, earlier, GOOD, allStored()));
        SnapshotMessage.RecordBlocks next = messages(open()).stream()
                .filter(SnapshotMessage.RecordBlocks.class::isInstance)
                .map(SnapshotMessage.RecordBlocks.class::cast)
                .findFirst()
                .orElseThrow();
        assertEquals(2, next.step());
        assertTrue(next.sid() > earlier, () -> "daemons ignore " + next.sid());
    }

    @Test
    void aVectorAboveTheToleranceIsDiscarded() {
        open();
        SpawnerTurn closed = parts(SID, BAD);
        Message discard = new SnapshotMessage.Discard(SID, BAD);
        assertEquals(List.of(discard, discard), messages(closed));
    }

    @Test
    void theRoundingBoundCountsAgainstTheTolerance() {
        open();
        part(SID, ONE, ZERO, OTHER, new PartialResidual(0.9, 1, 0));
        assertFalse(stores(part(SID, TWO, OTHER, ZERO, new PartialResidual(0.9, 1, 0.2))));
    }

    @Test
    void nothingIsCertifiedBeforeAllGroupsHaveAnswered() {
        open();
        SpawnerTurn first = part(SID, ONE, ZERO, OTHER, new PartialResidual(GOOD, 1, 0));
        SpawnerTurn again = part(SID, ONE, ZERO, OTHER, new PartialResidual(GOOD, 1, 0));
        assertEquals(List.of(), first.actions());
        assertEquals(List.of(), again.actions(), "the same part twice is one part");
    }

    @Test
    void aGroupThatUsedSomethingElseThanItsNeighborRecordedEvaluatesAgain() {
        open();
        part(SID, ONE, ZERO, new RecordedBlock(1, incarnation(2, 1), 999), new PartialResidual(GOOD, 1, 0));
        SpawnerTurn turn = part(SID, TWO, OTHER, ZERO, new PartialResidual(GOOD, 1, 0));
        assertEquals(List.of(new SnapshotMessage.Reevaluate(SID, List.of(OTHER))), messagesTo(ONE.id(), turn));
        assertFalse(stores(turn));
        assertTrue(stores(part(SID, ONE, ZERO, OTHER, new PartialResidual(GOOD, 1, 0))));
    }

    @Test
    void partsOfAnotherSnapshotOrOfADeposedOwnerAreIgnored() {
        open();
        part(SID, ONE, ZERO, OTHER, new PartialResidual(GOOD, 1, 0));
        assertEquals(
                List.of(),
                part(SID - 1, TWO, OTHER, ZERO, new PartialResidual(GOOD, 1, 0)).actions());
        assertEquals(
                List.of(),
                part(SID, spawner(3), OTHER, ZERO, new PartialResidual(GOOD, 1, 0))
                        .actions());
    }

    @Test
    void onlyGroupsThatDidNotAnswerAreAskedAgain() {
        open();
        part(SID, ONE, ZERO, OTHER, new PartialResidual(GOOD, 1, 0));
        SpawnerTurn early = new SpawnerTurn(RETRY.toNanos() - 1);
        leader.tick(early);
        assertEquals(List.of(), messages(early));
        SpawnerTurn due = new SpawnerTurn(RETRY.toNanos());
        leader.tick(due);
        assertEquals(List.of(TWO.id()), receivers(due));
        assertEquals(List.of(record(SID)), messages(due));
    }

    @Test
    void aLostRecordBreaksTheSnapshotAndTheNextOneBegins() {
        open();
        SpawnerTurn turn = received(new SnapshotMessage.Aborted(SID, new GroupTerm(1, TWO.id())));
        assertEquals(List.of(record(SID + 1), record(SID + 1)), messages(turn));
        assertEquals(
                List.of(),
                received(new SnapshotMessage.Aborted(SID, new GroupTerm(1, TWO.id())))
                        .actions(),
                "the same message again");
    }

    @Test
    void aStoredPartThatWasNotEvaluatedIsNeverDelivered() {
        open();
        parts(SID, GOOD);
        stored(SID, ONE, ZERO);
        SpawnerTurn turn = stored(SID, TWO, new RecordedBlock(1, incarnation(2, 1), 999));
        assertEquals(List.of(record(SID + 1), record(SID + 1)), messages(turn), "another snapshot instead");
    }

    @Test
    void anOwnerThatTookBlocksOverKnowsNothingOfTheOpenSnapshot() {
        open();
        SpawnerTurn turn = new SpawnerTurn(0);
        assertFalse(leader.regrouped(PLAN.groups(), turn));
        assertEquals(List.of(), turn.actions());
        assertTrue(leader.regrouped(
                List.of(new TakeoverMessage.GroupPlan(new GroupTerm(2, ONE.id()), ONE, List.of(0, 1), 1)), turn));
        assertEquals(List.of(ONE.id()), receivers(turn));
        assertEquals(List.of(record(SID + 1)), messages(turn));
    }

    @Test
    void aVerdictWhosePartsAreLostIsWithdrawnAndTheNextSnapshotOpens() {
        assemble();
        assertFalse(leader.partsMissing(SID - 1));
        assertTrue(leader.partsMissing(SID));
        SpawnerTurn late = new SpawnerTurn(0);
        leader.assembled(SID, false, late);
        assertEquals(List.of(), late.actions(), "the withdrawn result is not delivered");
        SpawnerTurn turn = new SpawnerTurn(0);
        leader.reopen(turn);
        assertEquals(List.of(record(SID + 1), record(SID + 1)), messages(turn));
        SpawnerTurn again = new SpawnerTurn(0);
        leader.reopen(again);
        assertEquals(List.of(), again.actions());
    }

    @Test
    void aResultThatMustBeCopiedIsDeliveredAfterTheCopy() {
        assemble();
        SpawnerTurn turn = new SpawnerTurn(0);
        leader.assembled(SID, true, turn);
        assertFalse(finishes(turn));
        assertEquals(SID, leader.snapshotToCopy().orElseThrow());
        leader.copied(turn);
        assertTrue(finishes(turn));
    }

    @Test
    void aResidualThatIsNoNumberEndsTheJob() {
        open();
        SpawnerTurn turn = parts(SID, Double.NaN);
        SpawnerAction.Finish finish =
                assertInstanceOf(SpawnerAction.Finish.class, turn.actions().getLast());
        assertInstanceOf(JobOutcome.Failed.class, finish.outcome());
    }

    @Test
    void atTheDeadlineTheOpenSnapshotIsDeliveredAsNotConverged() {
        open();
        leader.deadline(new SpawnerTurn(0));
        assertTrue(stores(parts(SID, BAD)));
        stored(SID, ONE, ZERO);
        assertEquals(
                List.of(new SpawnerAction.AssembleResult(SID, BAD, false, 0, ITERATIONS, allStored())),
                stored(SID, TWO, OTHER).actions());
        SpawnerTurn done = new SpawnerTurn(0);
        leader.assembled(SID, false, done);
        assertEquals(
                List.of(new SpawnerAction.Finish(new JobOutcome.NotConverged(SID, BAD, ITERATIONS))), done.actions());
    }

    @Test
    void anAnswerThatIsNotCertifiedIsCopiedToo() {
        open();
        leader.deadline(new SpawnerTurn(0));
        parts(SID, BAD);
        stored(SID, ONE, ZERO);
        stored(SID, TWO, OTHER);
        SpawnerTurn turn = new SpawnerTurn(0);
        leader.assembled(SID, true, turn);
        assertFalse(finishes(turn));
        leader.copied(turn);
        assertTrue(finishes(turn));
    }

    // ---- the best answer -------------------------------------------------------------------------------------------

    /** A leader with a deadline, whose log names the first snapshot as the best answer. */
    private KeptAnswer kept() {
        leader = new LeaderSnapshots(
                chain(2), SnapshotConfig.of(1).keepingBest(), RETRY, Duration.ofSeconds(10), PLAN, new NoSteps());
        open();
        assertTrue(stores(parts(SID, BAD)));
        stored(SID, ONE, ZERO);
        SpawnerTurn turn = stored(SID, TWO, OTHER);
        assertEquals(List.of(discard(SID, BAD), discard(SID, BAD)), messages(turn), "the job goes on");
        KeptAnswer answer = new KeptAnswer(SID, BAD, ITERATIONS, allStored());
        assertEquals(Optional.of(answer), leader.bestAnswer());
        leader.bestAnswerLogged(new SpawnerTurn(0));
        return answer;
    }

    private static Message discard(long sid, double residual) {
        return new SnapshotMessage.Discard(sid, residual);
    }

    private static SpawnerAction assembles(KeptAnswer answer) {
        return new SpawnerAction.AssembleResult(
                answer.sid(), answer.residual(), false, 0, answer.iterations(), answer.parts());
    }

    @Test
    void aWorseSnapshotIsNotStoredAndAtTheDeadlineTheBestOneIsDelivered() {
        KeptAnswer answer = kept();
        leader.openNow(new SpawnerTurn(0));
        SpawnerTurn worse = parts(SID + 1, 2 * BAD);
        assertEquals(List.of(discard(SID + 1, 2 * BAD), discard(SID + 1, 2 * BAD)), messages(worse));
        leader.deadline(new SpawnerTurn(0));
        assertTrue(parts(SID + 2, 2 * BAD).actions().contains(assembles(answer)));
        SpawnerTurn done = new SpawnerTurn(0);
        leader.assembled(SID, false, done);
        assertEquals(
                List.of(new SpawnerAction.Finish(new JobOutcome.NotConverged(SID, BAD, ITERATIONS))), done.actions());
    }

    @Test
    void aBetterLastSnapshotIsDeliveredItself() {
        kept();
        leader.deadline(new SpawnerTurn(0));
        assertTrue(stores(parts(SID + 1, BAD / 2)));
        stored(SID + 1, ONE, ZERO);
        assertTrue(stored(SID + 1, TWO, OTHER)
                .actions()
                .contains(assembles(new KeptAnswer(SID + 1, BAD / 2, ITERATIONS, allStored()))));
    }

    @Test
    void anAnswerWhosePartsAreLostIsFollowedByTheNewestSnapshot() {
        kept();
        leader.deadline(new SpawnerTurn(0));
        parts(SID + 1, 2 * BAD);
        assertTrue(leader.partsMissing(SID));
        SpawnerTurn again = new SpawnerTurn(0);
        leader.reopen(again);
        assertTrue(messages(again).contains(record(SID + 2)));
        assertTrue(stores(parts(SID + 2, 3 * BAD)), "the best one is lost");
    }

    @Test
    void anAnswerIsDeliveredIfTheLastSnapshotDoesNotClose() {
        KeptAnswer answer = kept();
        leader.deadline(new SpawnerTurn(0));
        SpawnerTurn patient = new SpawnerTurn(Duration.ofMillis(4999).toNanos());
        leader.tick(patient);
        assertFalse(patient.actions().contains(assembles(answer)));
        SpawnerTurn late = new SpawnerTurn(Duration.ofSeconds(5).toNanos());
        leader.tick(late);
        assertTrue(late.actions().contains(assembles(answer)));
    }

    @Test
    void nothingOpensWhileAnAnswerIsDeliveredInsteadOfOneThatIsBeingStored() {
        KeptAnswer answer = kept();
        now = Duration.ofSeconds(1).toNanos();
        leader.openNow(new SpawnerTurn(now));
        assertTrue(stores(parts(SID + 1, BAD / 2)));
        leader.deadline(new SpawnerTurn(now));
        now += Duration.ofSeconds(5).toNanos();
        SpawnerTurn late = new SpawnerTurn(now);
        leader.tick(late);
        assertTrue(late.actions().contains(assembles(answer)));
        assertEquals(
                List.of(),
                received(new SnapshotMessage.Aborted(SID + 1, new GroupTerm(1, ONE.id())))
                        .actions());
    }

    @Test
    void theNextLeaderDeliversTheAnswerThatTheLogNames() {
        KeptAnswer answer = new KeptAnswer(SID, BAD, ITERATIONS, allStored());
        leader = new LeaderSnapshots(
                chain(2),
                SnapshotConfig.of(1).keepingBest(),
                RETRY,
                Duration.ofSeconds(10),
                new TakeoverMessage.Plan(2, PLAN.groups()),
                new NoSteps());
        leader.resume(answer);
        leader.start(new SpawnerTurn(0));
        leader.deadline(new SpawnerTurn(0));
        assertTrue(parts((1L << 32) + 1, 2 * BAD).actions().contains(assembles(answer)));
    }

    @Test
    void thePartsOfTheAnswerBeforeGoOnceTheLogNamesTheBetterOne() {
        kept();
        now = Duration.ofSeconds(1).toNanos();
        leader.openNow(new SpawnerTurn(now));
        parts(SID + 1, BAD / 2);
        stored(SID + 1, ONE, ZERO);
        assertFalse(
                stored(SID + 1, TWO, OTHER).actions().stream().anyMatch(SpawnerAction.DeleteParts.class::isInstance));
        SpawnerTurn logged = new SpawnerTurn(now);
        leader.bestAnswerLogged(logged);
        assertTrue(logged.actions().contains(new SpawnerAction.DeleteParts(SID + 1)));
        SpawnerTurn again = new SpawnerTurn(now);
        leader.bestAnswerLogged(again);
        assertEquals(List.of(), again.actions());
    }

    @Test
    void anAnswerThatCannotBeStoredDoesNotEndTheJob() {
        kept();
        now = Duration.ofSeconds(1).toNanos();
        leader.openNow(new SpawnerTurn(now));
        assertTrue(stores(parts(SID + 1, BAD / 2)));
        assertTrue(leader.storeFailed(
                new SnapshotMessage.StoreFailed(SID + 1, 0, "the disk is full", false), new SpawnerTurn(now)));
        assertEquals(SID, leader.bestAnswer().orElseThrow().sid());
    }

    @Test
    void theJobEndsWithoutAResultWhenTheLastSnapshotTakesTooLong() {
        open();
        leader.deadline(new SpawnerTurn(0));
        SpawnerTurn turn = new SpawnerTurn(Duration.ofSeconds(10).toNanos());
        leader.tick(turn);
        assertTrue(turn.actions().contains(new SpawnerAction.Finish(JobOutcome.NotConverged.withoutResult(SID))));
    }

    /** A leader whose snapshots are checkpoints too. */
    private static LeaderSnapshots saving() {
        return new LeaderSnapshots(
                chain(2), SnapshotConfig.of(1).keeping(), RETRY, Duration.ofSeconds(10), PLAN, new NoSteps());
    }

    @Test
    void aSnapshotAboveTheToleranceIsStoredAndSavedAsACheckpoint() {
        leader = saving();
        open();
        assertTrue(stores(parts(SID, BAD)));
        stored(SID, ONE, ZERO);
        SpawnerTurn turn = stored(SID, TWO, OTHER);
        assertTrue(turn.actions()
                .contains(new SpawnerAction.SaveCheckpoint(
                        new CommittedStep(0, SID, BAD, allStored()), OptionalLong.empty())));
        Message discard = new SnapshotMessage.Discard(SID, BAD);
        assertEquals(List.of(discard, discard), messages(turn), "the records are dropped once they are saved");
        assertFalse(finishes(turn));
    }

    @Test
    void aCheckpointThatCannotBeStoredDoesNotEndTheJob() {
        leader = saving();
        open();
        parts(SID, BAD);
        SpawnerTurn turn = new SpawnerTurn(0);
        assertTrue(leader.storeFailed(new SnapshotMessage.StoreFailed(SID, 0, "disk full", false), turn));
        assertTrue(
                turn.actions().stream().anyMatch(SpawnerAction.EmitEvent.class::isInstance), turn.actions()::toString);
        assertFalse(finishes(turn));
    }

    @Test
    void nothingOpensAfterTheEndThoughACheckpointWasBeingStored() {
        leader = saving();
        open();
        parts(SID, BAD);
        leader.deadline(new SpawnerTurn(now));
        now = 11_000 * MS;
        SpawnerTurn end = new SpawnerTurn(now);
        leader.tick(end);
        assertTrue(finishes(end));
        assertEquals(
                List.of(),
                received(new SnapshotMessage.Aborted(SID, new GroupTerm(1, ONE.id())))
                        .actions());
    }

    @Test
    void aResultThatCannotBeStoredEndsTheJob() {
        open();
        parts(SID, GOOD);
        assertFalse(
                leader.storeFailed(new SnapshotMessage.StoreFailed(SID, 0, "disk full", false), new SpawnerTurn(0)));
    }

    @Test
    void aResultThatNoSpawnerTakesInTimeIsFollowedByTheNextSnapshot() {
        open();
        parts(SID, GOOD);
        SpawnerTurn turn = new SpawnerTurn(0);
        assertTrue(leader.storeFailed(new SnapshotMessage.StoreFailed(SID, 0, "takes no bytes", true), turn));
        assertFalse(finishes(turn));
        assertTrue(messages(turn).contains(record(SID + 1)), turn.actions()::toString);
        assertTrue(stores(parts(SID + 1, GOOD)));
    }

    @Test
    void storingCheckpointsThatWereNotRequestedTakesAtMostATwentiethOfTheTime() {
        leader = saving();
        open();
        parts(SID, BAD);
        now = 10 * MS; // it took 10 ms
        stored(SID, ONE, ZERO);
        stored(SID, TWO, OTHER);
        assertFalse(nextIsSaved(SID + 1, 209 * MS));
        assertTrue(nextIsSaved(SID + 2, 420 * MS));
    }

    /** Opens the next snapshot at a time, and says whether it becomes a checkpoint. */
    private boolean nextIsSaved(long sid, long at) {
        now = at;
        leader.setLargestHint(0);
        SpawnerTurn opening = new SpawnerTurn(at);
        leader.tick(opening);
        assertTrue(messages(opening).contains(record(sid)), opening.actions()::toString);
        return stores(parts(sid, BAD));
    }
}

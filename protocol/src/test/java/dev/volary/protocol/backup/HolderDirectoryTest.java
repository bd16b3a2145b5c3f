// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HolderDirectoryTest {
    private static final WorkerId OWNER = new WorkerId(1);
    private static final WorkerId OTHER_OWNER = new WorkerId(2);
    private static final WorkerId DAEMON = new WorkerId(11);
    private static final WorkerId STANDBY = new WorkerId(12);
    private static final long SECOND = 1_000_000_000L;
    private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(200);

    private final HolderRegistration registration = new HolderRegistration(Optional.of(FIVE_SECONDS), 2, RETRY);
    private final HolderDirectory list = new HolderDirectory(member(OWNER), true);
    private final List<Member> group = List.of(member(DAEMON), member(STANDBY));

    private static Member member(WorkerId id) {
        return new Member(id, WorkerRole.DAEMON, "daemon-" + id, new Address("virtual", 1), "virtual", "", 1, 1L << 30);
    }

    private static BackupHolder holder(WorkerId id) {
        return new BackupHolder(id, "host", "", new Address("virtual", (int) id.value()));
    }

    private static BackupMessage.HolderReport report(WorkerId id, long version) {
        return new BackupMessage.HolderReport(holder(id), 2, version, false);
    }

    private List<DaemonAction> tick(Optional<WorkerId> owner, long now) {
        DaemonTurn turn = new DaemonTurn(now);
        registration.tick(owner, turn);
        return turn.actions();
    }

    private static List<DaemonAction> received(
            HolderRegistration by, WorkerId from, BackupMessage.HolderListUpdate holders) {
        DaemonTurn turn = new DaemonTurn(0);
        by.holders(from, holders, turn);
        by.tick(Optional.of(from), turn);
        return turn.actions();
    }

    @Test
    void warmedUpDaemonsGetLostBlocksFirstThenOtherHolders() {
        assertEquals(group, list.readyFirst(group), "in the order they have");
        list.opened(holder(STANDBY), group, new SpawnerTurn(0));
        assertEquals(List.of(member(STANDBY), member(DAEMON)), list.readyFirst(group));
        list.holderReported(new BackupMessage.HolderReport(holder(DAEMON), 2, 0, true), group, new SpawnerTurn(0));
        assertEquals(group, list.readyFirst(group));
        list.lost(Set.of(DAEMON), group, new SpawnerTurn(0));
        assertEquals(List.of(member(STANDBY), member(DAEMON)), list.readyFirst(group), "one that comes back is new");
    }

    @Test
    void aFinishedWarmUpIsReportedAtOnceAndToANewOwner() {
        tick(Optional.of(OWNER), 0);
        registration.opened(holder(STANDBY), 0);
        tick(Optional.of(OWNER), 0);
        registration.holders(OWNER, new BackupMessage.HolderListUpdate(3, List.of(holder(STANDBY))), new DaemonTurn(0));
        tick(Optional.of(OWNER), RETRY.toNanos());
        registration.warmedUp(SECOND);
        assertEquals(
                List.of(new WorkerAction.Send(OWNER, new BackupMessage.HolderReport(holder(STANDBY), 2, 3, true))),
                tick(Optional.of(OWNER), SECOND));
        assertEquals(
                List.of(new WorkerAction.Send(
                        OTHER_OWNER, new BackupMessage.HolderReport(holder(STANDBY), 2, 0, true))),
                tick(Optional.of(OTHER_OWNER), 2 * SECOND));
    }

    @Test
    void anOwnerThatLeavesBackupsToTheDaemonsOpensNoStoreAndIsNoHolder() {
        HolderDirectory daemonsOnly = new HolderDirectory(member(OWNER), false);
        SpawnerTurn turn = new SpawnerTurn(0);
        daemonsOnly.holderReported(report(DAEMON, 0), group, turn);
        assertEquals(List.of(), opened(turn));
        daemonsOnly.buddyReported(OTHER_OWNER, new BackupMessage.BuddyHolders(false, List.of()), group, turn);
        assertEquals(List.of(), opened(turn));
        SpawnerTurn holding = new SpawnerTurn(0);
        list.holderReported(report(DAEMON, 0), group, holding);
        assertEquals(List.of(new WorkerAction.OpenBackupStore()), opened(holding));
    }

    private static List<?> opened(SpawnerTurn turn) {
        return turn.actions().stream()
                .filter(WorkerAction.OpenBackupStore.class::isInstance)
                .toList();
    }

    @Test
    void aStoreIsOpenedFiveSecondsAfterTheFirstIteration() {
        assertEquals(List.of(), tick(Optional.of(OWNER), 100 * SECOND));
        registration.iterating(100 * SECOND);
        registration.iterating(104 * SECOND);
        assertEquals(List.of(), tick(Optional.of(OWNER), 105 * SECOND - 1));
        assertEquals(List.of(new WorkerAction.OpenBackupStore()), tick(Optional.of(OWNER), 105 * SECOND));
        assertEquals(List.of(), tick(Optional.of(OWNER), 106 * SECOND));
    }

    @Test
    void aJobWithoutBackupsOpensNoStore() {
        HolderRegistration none = new HolderRegistration(Optional.empty(), 1, RETRY);
        none.iterating(0);
        DaemonTurn turn = new DaemonTurn(100 * SECOND);
        none.tick(Optional.of(OWNER), turn);
        assertEquals(List.of(), turn.actions());
        assertEquals(Long.MAX_VALUE, turn.wakeUp());
    }

    @Test
    void aStandbyOpensItsStoreWhenTheGroupHasHolders() {
        HolderRegistration standby = new HolderRegistration(Optional.of(FIVE_SECONDS), 2, RETRY);
        standby.tick(Optional.of(OWNER), new DaemonTurn(0));
        List<BackupHolder> holders = List.of(holder(DAEMON));
        assertEquals(
                List.of(new WorkerAction.UpdateHolders(holders), new WorkerAction.OpenBackupStore()),
                received(standby, OWNER, new BackupMessage.HolderListUpdate(1, holders)));
    }

    @Test
    void anOpenStoreIsAnnouncedUntilAListArrivesAndToANewOwnerAtOnce() {
        tick(Optional.of(OWNER), 0);
        registration.opened(holder(DAEMON), 0);
        SpawnerAction first = new WorkerAction.Send(OWNER, report(DAEMON, 0));
        assertEquals(List.of(first), tick(Optional.of(OWNER), 0));
        assertEquals(List.of(), tick(Optional.of(OWNER), RETRY.toNanos() - 1));
        assertEquals(List.of(first), tick(Optional.of(OWNER), RETRY.toNanos()));
        registration.holders(
                OWNER, new BackupMessage.HolderListUpdate(3, List.of(holder(DAEMON))), new DaemonTurn(SECOND));
        assertEquals(
                List.of(new WorkerAction.Send(OTHER_OWNER, report(DAEMON, 0))),
                tick(Optional.of(OTHER_OWNER), 2 * SECOND));
    }

    @Test
    void anOlderListAndOneOfAnotherOwnerAreIgnored() {
        tick(Optional.of(OWNER), 0);
        DaemonTurn turn = new DaemonTurn(0);
        registration.holders(OWNER, new BackupMessage.HolderListUpdate(2, List.of(holder(DAEMON))), turn);
        registration.holders(OWNER, new BackupMessage.HolderListUpdate(1, List.of()), turn);
        registration.holders(OTHER_OWNER, new BackupMessage.HolderListUpdate(9, List.of()), turn);
        assertEquals(List.of(new WorkerAction.UpdateHolders(List.of(holder(DAEMON)))), turn.actions());
    }

    @Test
    void theFirstHolderOpensTheOwnersStoreAndIsSentToAllDaemons() {
        SpawnerTurn turn = new SpawnerTurn(0);
        list.holderReported(report(DAEMON, 0), group, turn);
        BackupMessage.HolderListUpdate one = new BackupMessage.HolderListUpdate(1, List.of(holder(DAEMON)));
        assertEquals(
                List.of(
                        new WorkerAction.OpenBackupStore(),
                        new WorkerAction.Send(DAEMON, one),
                        new WorkerAction.Send(STANDBY, one),
                        new WorkerAction.UpdateHolders(one.holders())),
                turn.actions());
    }

    @Test
    void onlyAHolderWithAnOlderListReceivesTheList() {
        list.holderReported(report(DAEMON, 0), group, new SpawnerTurn(0));
        SpawnerTurn quiet = new SpawnerTurn(0);
        list.holderReported(report(DAEMON, 1), group, quiet);
        assertEquals(List.of(), quiet.actions());
        SpawnerTurn missed = new SpawnerTurn(0);
        list.holderReported(report(DAEMON, 0), group, missed);
        assertEquals(
                List.of(new WorkerAction.Send(DAEMON, new BackupMessage.HolderListUpdate(1, List.of(holder(DAEMON))))),
                missed.actions());
    }

    @Test
    void tooFewHoldersAreReportedAfterAWhile() {
        list.holderReported(report(DAEMON, 0), group, new SpawnerTurn(0));
        list.opened(holder(OWNER), group, new SpawnerTurn(0));
        list.holderReported(report(STANDBY, 0), group, new SpawnerTurn(0));
        assertEquals(List.of(), emitted(60 * SECOND), "three holders carry two copies");
        list.lost(Set.of(STANDBY), group, new SpawnerTurn(60 * SECOND));
        assertEquals(List.of(), emitted(61 * SECOND));
        assertEquals(List.of(new SpawnerAction.EmitEvent(new JobEvent.Degraded(1, 2))), emitted(70 * SECOND));
        assertEquals(List.of(), emitted(90 * SECOND));
        list.holderReported(report(STANDBY, 0), group, new SpawnerTurn(90 * SECOND));
        assertEquals(List.of(new SpawnerAction.EmitEvent(new JobEvent.Degraded(2, 2))), emitted(100 * SECOND));
    }

    @Test
    void aDaemonThatJoinsLaterGetsTheList() {
        SpawnerTurn early = new SpawnerTurn(0);
        list.joined(member(STANDBY), early);
        assertTrue(early.actions().isEmpty());
        list.holderReported(report(DAEMON, 0), group, new SpawnerTurn(0));
        SpawnerTurn late = new SpawnerTurn(0);
        list.joined(member(STANDBY), late);
        assertEquals(
                List.of(new WorkerAction.Send(STANDBY, new BackupMessage.HolderListUpdate(1, List.of(holder(DAEMON))))),
                late.actions());
    }

    private List<SpawnerAction> emitted(long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        list.tick(turn);
        return turn.actions();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.Samples;
import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.MembershipMessage.VerdictAnnouncement;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Groups of members 1 to 4; member 1 is the owner. */
class VerdictPublisherTest {
    private static final WorkerId OTHER = new WorkerId(3);
    private static final FailureVerdict OWNER_DEAD = verdict(1);

    private final FailureDetectorConfig config = FailureDetectorConfig.confirmed(2, Duration.ofSeconds(2));

    private static FailureVerdict verdict(long member) {
        return new FailureVerdict(new WorkerId(member), FailureVerdict.Cause.DEAD, 5);
    }

    private MembershipView viewOf(long self) {
        return MemberLists.viewOf(new WorkerId(self), 4, config);
    }

    private static List<WorkerAction.Send> tick(VerdictPublisher publisher, long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        publisher.tick(turn);
        return Samples.sends(turn);
    }

    private static List<WorkerAction.Send> remembered(VerdictPublisher publisher, long member) {
        SpawnerTurn turn = new SpawnerTurn(0);
        publisher.sendRemembered(OTHER, new WorkerId(member), turn);
        return Samples.sends(turn);
    }

    @Test
    void theVerdictOnTheOwnerIsAnnouncedToAllOthersThreeTimes() {
        VerdictPublisher publisher = new VerdictPublisher(viewOf(2));
        assertEquals(Long.MAX_VALUE, publisher.wakeUp());
        publisher.declared(List.of(OWNER_DEAD), 10);
        long at = 10;
        for (int announcement = 1; announcement <= 3; announcement++) {
            assertEquals(at, publisher.wakeUp());
            assertEquals(List.of(), tick(publisher, at - 1));
            assertEquals(
                    Set.of(new WorkerId(3), new WorkerId(4)),
                    tick(publisher, at).stream().map(WorkerAction.Send::to).collect(Collectors.toSet()));
            at += config.batchNanos();
        }
        assertEquals(Long.MAX_VALUE, publisher.wakeUp());
        assertEquals(List.of(), tick(publisher, at));
    }

    @Test
    void theOwnerAnnouncesNoVerdict() {
        VerdictPublisher publisher = new VerdictPublisher(viewOf(1));
        publisher.declared(List.of(verdict(3)), 10);
        assertEquals(List.of(), tick(publisher, 10));
    }

    @Test
    void anAnnouncementEndsWhenTheGroupChanges() {
        VerdictPublisher publisher = new VerdictPublisher(viewOf(2));
        publisher.declared(List.of(OWNER_DEAD), 10);
        publisher.groupChanged(Map.of());
        assertEquals(List.of(), tick(publisher, 10));
    }

    @Test
    void aMemberThatIsNotDeclaredHasNoVerdictToReceive() {
        MembershipView view = viewOf(2);
        VerdictPublisher publisher = new VerdictPublisher(view);
        SpawnerTurn turn = new SpawnerTurn(0);
        publisher.send(OTHER, view.peer(OTHER), turn);
        assertEquals(List.of(), Samples.sends(turn));
        view.peer(OTHER).declare(verdict(3));
        publisher.send(OTHER, view.peer(OTHER), turn);
        assertEquals(
                List.of(new WorkerAction.Send(OTHER, new VerdictAnnouncement(List.of(verdict(3))))),
                Samples.sends(turn));
    }

    @Test
    void theNewest64VerdictsOnFormerMembersAreRemembered() {
        VerdictPublisher publisher = new VerdictPublisher(viewOf(1));
        for (long member = 100; member < 165; member++) {
            Map<WorkerId, FailureVerdict> former = new LinkedHashMap<>();
            former.put(new WorkerId(member), verdict(member));
            publisher.groupChanged(former);
        }
        assertEquals(64, publisher.entries());
        assertEquals(List.of(), remembered(publisher, 100));
        assertEquals(
                List.of(new WorkerAction.Send(OTHER, new VerdictAnnouncement(List.of(verdict(101))))),
                remembered(publisher, 101));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.config.RecoveryPolicy;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.ToSpawner;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpawnerMachineTest {
    private static final Member SELF = spawner(1);
    private static final Member OTHER = spawner(2);
    private static final Member DAEMON =
            new Member(new WorkerId(11), WorkerRole.DAEMON, "d-11", new Address("virtual", 11), "virtual", "", 1, 100);
    private static final SpawnerAction EVICTION = new WorkerAction.Send(DAEMON.id(), new RegistrationMessage.Evicted());
    private static final long SECOND = 1_000_000_000;

    private static final JobGraph SHAPE = new JobGraph(List.of(new JobGraph.BlockShape(List.of(), List.of(), 10, 1)));
    private static final SpawnerConfig CONFIG =
            SpawnerConfig.of(1, 2, 1e-6, Duration.ofSeconds(10), Optional.empty(), RecoveryPolicy.STANDARD);

    private final SpawnerMachine machine = new SpawnerMachine(SELF, SHAPE, CONFIG, 7);

    @Test
    void aVerdictOnALeaderThatDiscoveryHasForgottenBeginsANewTerm() {
        var _ = on(machine, new WorkerEvent.SpawnersFound(List.of(SELF, OTHER)), 0);
        var _ = on(
                machine,
                new SpawnerEvent.ArbiterAnswered(
                        new LeaderElectionRecord(Optional.of(OTHER.id()), 1, List.of(SELF.id(), OTHER.id()))),
                1);
        var _ = on(machine, new WorkerEvent.SpawnersFound(List.of(SELF, spawner(3))), 2);
        SpawnerTurn turn = on(
                machine,
                new WorkerEvent.Verdicts(List.of(new FailureVerdict(OTHER.id(), FailureVerdict.Cause.DEAD, 0))),
                3);
        assertTrue(
                turn.actions().contains(new SpawnerAction.ReadArbiter()),
                turn.actions().toString());
    }

    @Test
    void ofTwoSpawnersThatEvictEachOtherOnlyTheHigherIdRestarts() {
        SpawnerAction restart = new WorkerAction.Restart();
        SpawnerTurn lower = afterMutualEviction(machine, SELF, OTHER);
        SpawnerTurn higher = afterMutualEviction(new SpawnerMachine(OTHER, SHAPE, CONFIG, 7), OTHER, SELF);
        assertTrue(lower.actions().isEmpty(), lower.actions().toString());
        assertTrue(higher.actions().contains(restart), higher.actions().toString());
    }

    @Test
    void aDeadDaemonIsForgottenAndAnEvictedOneThatLivesStillLearnsIt() {
        var _ = on(machine, new WorkerEvent.SpawnersFound(List.of(SELF)), 0);
        var _ = receive(new RegistrationMessage.Register(DAEMON, Optional.empty()), 1);
        var _ = receive(new RegistrationMessage.Register(DAEMON, Optional.of(SELF.id())), 2);
        SpawnerAction forget = new WorkerAction.ForgetPeer(DAEMON.id());
        SpawnerTurn member = on(machine, new WorkerEvent.Tick(), SECOND);
        assertFalse(member.actions().contains(forget), member.actions().toString());
        SpawnerTurn verdict = on(
                machine,
                new WorkerEvent.Verdicts(List.of(new FailureVerdict(DAEMON.id(), FailureVerdict.Cause.DEAD, 0))),
                2 * SECOND);
        int evicted = verdict.actions().indexOf(EVICTION);
        assertTrue(
                0 <= evicted && evicted < verdict.actions().indexOf(forget),
                verdict.actions().toString());
        SpawnerTurn back = receive(new MembershipMessage.Refutation(), 9 * SECOND);
        assertTrue(back.actions().contains(EVICTION), back.actions().toString());
    }

    private SpawnerTurn receive(ToSpawner message, long now) {
        return on(machine, new SpawnerEvent.Received(DAEMON.id(), message), now);
    }

    private static SpawnerTurn on(SpawnerMachine machine, SpawnerEvent event, long now) {
        SpawnerTurn turn = new SpawnerTurn(now);
        machine.on(event, turn);
        return turn;
    }

    /** What a spawner does that has evicted another one and is then evicted by it. */
    private static SpawnerTurn afterMutualEviction(SpawnerMachine spawner, Member self, Member other) {
        var _ = on(spawner, new WorkerEvent.SpawnersFound(List.of(self, other)), 0);
        var _ = on(
                spawner,
                new WorkerEvent.Verdicts(List.of(new FailureVerdict(other.id(), FailureVerdict.Cause.DEAD, 0))),
                1);
        return on(spawner, new SpawnerEvent.Received(other.id(), new RegistrationMessage.Evicted()), 2);
    }

    private static Member spawner(long id) {
        return new Member(
                new WorkerId(id), WorkerRole.SPAWNER, "s-" + id, new Address("virtual", (int) id), "virtual", "", 1, 0);
    }
}

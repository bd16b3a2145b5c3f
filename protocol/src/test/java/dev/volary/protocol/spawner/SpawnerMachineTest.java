package dev.volary.protocol.spawner;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Address;
import dev.volary.protocol.ArbiterRecord;
import dev.volary.protocol.Event;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Member;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Role;
import dev.volary.protocol.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpawnerMachineTest {
    private static final Member SELF = spawner(1);
    private static final Member OTHER = spawner(2);

    private final SpawnerMachine machine = new SpawnerMachine(
            SELF,
            new JobShape(List.of(new JobShape.BlockShape(List.of(), List.of(), 10, 1))),
            JobConfig.of(1, 2, 1e-6, Duration.ofSeconds(10), Optional.empty(), Recovery.STANDARD),
            7);

    @Test
    void aVerdictOnALeadThatDiscoveryHasForgottenBeginsANewTerm() {
        var _ = machine.on(new Event.SpawnersFound(List.of(SELF, OTHER)), 0);
        var _ = machine.on(
                new Event.ArbiterAnswered(
                        new ArbiterRecord(Optional.of(OTHER.id()), 1, List.of(SELF.id(), OTHER.id()))),
                1);
        var _ = machine.on(new Event.SpawnersFound(List.of(SELF, spawner(3))), 2);
        Actions out = machine.on(new Event.Verdicts(List.of(new Verdict(OTHER.id(), Verdict.Cause.DEAD, 0))), 3);
        assertTrue(out.list().contains(new Action.ReadArbiter()), out.list().toString());
    }

    private static Member spawner(long id) {
        return new Member(new NodeId(id), Role.SPAWNER, "s-" + id, new Address("virtual", (int) id), "", 1, 0);
    }
}

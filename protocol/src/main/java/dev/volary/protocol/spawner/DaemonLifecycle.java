// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.directory.GroupOwners;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Follows the daemons of the group from their registration over their reports until they leave or are declared dead, and
 * transfers those that compute the blocks of other groups.
 */
final class DaemonLifecycle {
    private final WorkerId self;
    private final OwnedGroup group;
    private final GroupOwners owners;
    private final KnownSpawners spawners;
    private final EvictedWorkers evicted;
    private final ProgressReporter reporter;
    private final long patience;
    /** Daemons with blocks of this group that named another owner, and until when that one may still claim the blocks. */
    private final Map<WorkerId, Long> unowned = new HashMap<>();

    private boolean lostAny;

    /** @param owners which spawner owns which blocks */
    DaemonLifecycle(
            WorkerId self,
            SpawnerConfig config,
            OwnedGroup group,
            GroupOwners owners,
            KnownSpawners spawners,
            EvictedWorkers evicted,
            ProgressReporter reporter) {
        this.self = self;
        this.group = group;
        this.owners = owners;
        this.spawners = spawners;
        this.evicted = evicted;
        this.reporter = reporter;
        this.patience = 2 * config.watch().timeout().toNanos();
    }

    /** A daemon offers itself, or names its owner. */
    void registered(RegistrationMessage.Register registration, SpawnerTurn turn) {
        WorkerId daemon = registration.daemon().id();
        if (group.members().register(registration, turn)) {
            reporter.reportNow(turn.now());
            group.joined(turn);
        }
        boolean elsewhere = registration.owner().filter(id -> !id.equals(self)).isPresent();
        if (elsewhere && group.serves(daemon)) {
            unowned.putIfAbsent(daemon, turn.now() + patience);
        } else if (registration.owner().isPresent()) {
            unowned.remove(daemon);
        }
    }

    /** A daemon of the group reports what it computes. */
    void reported(ProgressMessage.DaemonReport report, SpawnerTurn turn) {
        if (!group.members().has(report.daemon())) {
            return;
        }
        group.members().report(report);
        Optional<Member> daemon = group.members().members().stream()
                .filter(member -> member.id().equals(report.daemon()))
                .findFirst();
        if (group.blocks().isPresent()
                && daemon.isPresent()
                && group.blocks().get().progress(daemon.get(), report, turn)) {
            reporter.reportNow(turn.now());
        }
        transfer(report, turn);
    }

    /** A daemon that computes blocks of other groups only is transferred to the owner of one. */
    private void transfer(ProgressMessage.DaemonReport report, SpawnerTurn turn) {
        Set<WorkerId> theirs = new TreeSet<>();
        for (ProgressMessage.BlockProgress block : report.blocks()) {
            Optional<Member> owner = owners.ownerOf(block.block());
            if (group.hasBlock(block.block()) || owner.isEmpty()) {
                return;
            }
            theirs.add(owner.get().id());
        }
        theirs.stream()
                .flatMap(owner -> spawners.find(owner).stream())
                .findFirst()
                .ifPresent(owner -> turn.send(report.daemon(), new RegistrationMessage.TransferDaemon(owner)));
    }

    /** A daemon leaves. It is evicted once it has no blocks. */
    void leaves(RegistrationMessage.Leaving leaving, SpawnerTurn turn) {
        if (group.leaves(leaving, turn)) {
            lost(List.of(left(leaving.daemon())), turn);
        }
    }

    /** Workers were declared dead. Those of this group are evicted, whether they live or not. */
    void lost(List<FailureVerdict> verdicts, SpawnerTurn turn) {
        List<FailureVerdict> ours = group.members().lost(verdicts, turn);
        if (ours.isEmpty()) {
            return;
        }
        lostAny = true;
        reporter.reportNow(turn.now());
        for (FailureVerdict lost : ours) {
            unowned.remove(lost.member());
            evicted.evict(lost.member(), turn);
        }
        group.lost(ours, turn);
    }

    /** Whether the group has lost a daemon. */
    boolean hasLostAny() {
        return lostAny;
    }

    void tick(SpawnerTurn turn) {
        List<FailureVerdict> verdicts = group.members().tick(turn);
        if (!verdicts.isEmpty()) {
            lost(verdicts, turn);
        }
        reassignUnowned(turn);
    }

    /** A daemon of another owner cannot serve this group's blocks, unless the other one has claimed them meanwhile. */
    private void reassignUnowned(SpawnerTurn turn) {
        for (Map.Entry<WorkerId, Long> stray : List.copyOf(unowned.entrySet())) {
            WorkerId daemon = stray.getKey();
            if (turn.now() < stray.getValue()) {
                turn.wakeAt(stray.getValue());
            } else {
                unowned.remove(daemon);
                if (group.serves(daemon)) {
                    group.lost(List.of(left(daemon)), turn);
                }
            }
        }
    }

    private static FailureVerdict left(WorkerId daemon) {
        return new FailureVerdict(daemon, FailureVerdict.Cause.LEFT, 0);
    }

    int entries() {
        return unowned.size();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.backup.HolderDirectory;
import dev.volary.protocol.directory.BlockAssignments;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.rollback.GroupRollback;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Moves blocks from daemons that have more than their share to daemons that have time, while no block lacks a daemon. The
 * {@link LoadBalancer} chooses the blocks.
 */
final class BlockMover {
    private final BlockAssignments assignments;
    private final GroupCoordination coordination;
    private final HolderDirectory holders;
    private final LoadBalancer balancer;
    private final BlockReassigner reassigner;

    /** Daemons for which all blocks of a synchronous job rolled back once, so that they could take some over. */
    private final Set<WorkerId> helped = new TreeSet<>();

    BlockMover(
            BlockAssignments assignments,
            GroupCoordination coordination,
            HolderDirectory holders,
            LoadBalancer balancer,
            BlockReassigner reassigner) {
        this.assignments = assignments;
        this.coordination = coordination;
        this.holders = holders;
        this.balancer = balancer;
        this.reassigner = reassigner;
    }

    /** Whether a daemon here has too many blocks, and no daemon has time for them. */
    boolean isCrowded(List<Member> members) {
        return balancer.hasOverloaded(members, assignments)
                && reassigner.staying(members).stream().noneMatch(member -> balancer.hasTime(member, assignments));
    }

    /** This daemon is dead or has left. */
    void lost(WorkerId daemon) {
        helped.remove(daemon);
    }

    /** Moves blocks, if there are daemons with too many and daemons with time. */
    void tick(List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        if (coordination.rollback().isPresent()) {
            moveInLockStep(coordination.rollback().get(), members, turn);
        } else {
            move(members, leader, turn);
        }
    }

    private void move(List<Member> members, Optional<WorkerId> leader, SpawnerTurn turn) {
        List<Member> staying = reassigner.staying(members);
        for (Member helper : staying) {
            if (canHelp(helper)) {
                balancer.relief(helper, staying, assignments, reassigner.failures())
                        .forEach((daemon, blocks) -> reassigner.move(daemon, blocks, helper, leader, turn));
            }
        }
    }

    /**
     * In lock-step a block moves only in a rollback of all blocks, so the move waits for a checkpoint that was just completed.
     * It is tried once for each daemon: one that gets nothing, for lack of memory, must not cause repeated rollbacks.
     */
    private void moveInLockStep(GroupRollback rollback, List<Member> members, SpawnerTurn turn) {
        if (!rollback.pollSettled(turn)) {
            return;
        }
        balancer.checkpointed(assignments.blocks());
        List<Member> staying = reassigner.staying(members);
        for (Member helper : staying) {
            if (!helped.contains(helper.id()) && canHelp(helper)) {
                balancer.relief(helper, staying, assignments, reassigner.failures())
                        .forEach((daemon, blocks) -> {
                            helped.add(helper.id());
                            assignments.release(daemon, blocks);
                            rollback.lost(turn.now());
                        });
            }
        }
    }

    private boolean canHelp(Member daemon) {
        return holders.isWarmedUp(daemon.id()) && balancer.hasTime(daemon, assignments);
    }

    int entries() {
        return helped.size();
    }
}

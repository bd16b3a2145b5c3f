// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/** How daemons and groups are doing. */
public sealed interface ProgressMessage extends ToSpawner {

    /**
     * A spawner reports its group to the leader. Repeated at each change and until a plan arrives.
     *
     * @param held what the daemons compute already, where all spawners that knew it are lost
     */
    record GroupReport(Member spawner, List<Member> daemons, List<BlockAssignment> held)
            implements ProgressMessage, ToLeader {
        public GroupReport {
            daemons = List.copyOf(daemons);
            held = List.copyOf(held);
        }
    }

    /** How a daemon's blocks are doing; sent a few times a second. */
    record DaemonReport(WorkerId daemon, List<BlockProgress> blocks) implements ProgressMessage {
        public DaemonReport {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * How one block is doing.
     *
     * @param block the block
     * @param incarnation that reports
     * @param iteration iterations completed, those before its backup included
     * @param updates updates of unknowns completed
     * @param hint newest local hint of the residual, absolute; infinite before the first iteration of this incarnation
     * @param haloAgeNanos age of the oldest halo in use, in nanoseconds
     * @param haloAgeIterations age of the oldest halo in use, in iterations of this block
     * @param step it iterates on, from 1; 0 for a stationary problem
     * @param backup the newest of this incarnation, if there is one
     */
    record BlockProgress(
            int block,
            Incarnation incarnation,
            long iteration,
            double updates,
            double hint,
            long haloAgeNanos,
            long haloAgeIterations,
            int step,
            Optional<Backup> backup) {

        /** Of a stationary problem, without a backup. */
        public BlockProgress(
                int block,
                Incarnation incarnation,
                long iteration,
                double updates,
                double hint,
                long haloAgeNanos,
                long haloAgeIterations) {
            this(block, incarnation, iteration, updates, hint, haloAgeNanos, haloAgeIterations, 0, Optional.empty());
        }

        /** Whether this incarnation has completed an iteration. */
        public boolean iterates() {
            return iteration > 0 && Double.isFinite(hint);
        }
    }

    /**
     * Where a block is backed up.
     *
     * @param iteration of the newest copy
     * @param holders of its copies, one of them of the newest
     */
    record Backup(long iteration, List<WorkerId> holders) {
        public Backup {
            holders = List.copyOf(holders);
        }
    }

    /** A spawner passes its group's progress to the leader. */
    record GroupProgress(GroupTerm term, List<DaemonReport> daemons) implements ProgressMessage, ToLeader {
        public GroupProgress {
            daemons = List.copyOf(daemons);
        }
    }
}

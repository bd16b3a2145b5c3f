// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import java.util.List;

/** Which spawner owns which blocks: the leader's plan, and groups that change hands. */
public sealed interface TakeoverMessage extends ToSpawner {

    /** The leader sends every spawner the assignment of blocks to groups. */
    record Plan(long leaderTerm, List<GroupPlan> groups) implements TakeoverMessage {
        public Plan {
            groups = List.copyOf(groups);
        }
    }

    /**
     * One group's share.
     *
     * @param term the group's first term
     * @param spawner its owner
     * @param blocks the blocks it owns, ascending
     * @param daemons how many of its daemons get them, first names first; the others stand by
     */
    record GroupPlan(GroupTerm term, Member spawner, List<Integer> blocks, int daemons) {
        public GroupPlan {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * A group's directory, for the spawners that would take the group over. Repeated until {@link DirectoryReplicaAck}.
     *
     * @param version grows with each change under this term
     * @param entries of the group's blocks
     * @param daemons of the group
     */
    record DirectoryReplica(
            GroupTerm term, long version, List<Integer> blocks, List<BlockAssignment> entries, List<Member> daemons)
            implements TakeoverMessage {
        public DirectoryReplica {
            blocks = List.copyOf(blocks);
            entries = List.copyOf(entries);
            daemons = List.copyOf(daemons);
        }
    }

    /** The receiver of {@link DirectoryReplica} has this version. */
    record DirectoryReplicaAck(GroupTerm term, long version) implements TakeoverMessage {}

    /**
     * The sender owns these blocks from now on: to all spawners, repeated until {@link OwnershipClaimAck}. Of two owners of a
     * block the higher term holds; an owner under a higher one answers with its own claim.
     */
    record OwnershipClaim(GroupTerm term, Member spawner, List<Integer> blocks) implements TakeoverMessage {
        public OwnershipClaim {
            blocks = List.copyOf(blocks);
        }
    }

    /** The receiver of {@link OwnershipClaim} knows this claim. */
    record OwnershipClaimAck(GroupTerm term) implements TakeoverMessage {}

    /**
     * The sender has no daemon for these blocks, or, with none, too few daemons for those it has: a receiver with a standby
     * lends it, one with room takes blocks over.
     *
     * @param entries the newest the sender knows of them
     * @param copies the newest backups of them, where the sender knows of any
     */
    record BlocksOffered(
            Member spawner, List<Integer> blocks, List<BlockAssignment> entries, List<BackupVersion> copies)
            implements TakeoverMessage {
        public BlocksOffered {
            blocks = List.copyOf(blocks);
            entries = List.copyOf(entries);
            copies = List.copyOf(copies);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import java.util.List;

/** Certified snapshots (docs/explanation/certification.md, "the protocol"). */
public sealed interface SnapshotMessage {

    /** From the leader to spawners, and from these to their daemons. */
    sealed interface Command extends SnapshotMessage, ToDaemon, ToSpawner {}

    /**
     * Record your blocks at the next iteration boundary. Leader to spawners to daemons; repeated until answered.
     *
     * @param step that the blocks must be in, from 1; 0 for a stationary problem
     */
    record RecordBlocks(int step, long sid) implements Command {}

    /**
     * What some blocks really recorded, where a part used something else: evaluate such parts again. Leader to spawners to
     * daemons.
     */
    record Reevaluate(long sid, List<RecordedBlock> truth) implements Command {
        public Reevaluate {
            truth = List.copyOf(truth);
        }
    }

    /** Not yet: drop the record, keep computing. Carries the certified residual for display. */
    record Discard(long sid, double residual) implements Command {}

    /** Good enough: store your recorded parts in the result sink. Repeated until answered. */
    record SnapshotStore(long sid) implements Command {}

    /** From a daemon to its spawner. */
    sealed interface DaemonReply extends SnapshotMessage, ToSpawner {}

    /**
     * A block's residual, evaluated for exactly the recorded vectors it names.
     *
     * @param own the recorded core
     * @param used what it used of each source, ascending by block
     * @param iteration how many iterations the block had completed when it was recorded
     * @param costNanos CPU time spent on this part
     */
    record SnapshotPart(
            long sid,
            RecordedBlock own,
            List<RecordedBlock> used,
            PartialResidual residual,
            long iteration,
            long costNanos)
            implements DaemonReply {
        public SnapshotPart {
            used = List.copyOf(used);
        }
    }

    /** The recorded part is durable in the result sink. */
    record SnapshotStored(long sid, RecordedBlock part, int checksum) implements DaemonReply {}

    /**
     * A recorded part could not be stored. Of a snapshot that is to end the job, this ends it without a result, unless the failure
     * is temporary: then the next snapshot follows.
     *
     * @param reason names file, value and remedy
     * @param isTemporary whether nothing refused the part: no spawner took it in time
     */
    record StoreFailed(long sid, int block, String reason, boolean isTemporary) implements DaemonReply, ToLeader {}

    /** From a spawner to the leader, for all blocks of its group. */
    sealed interface GroupReply extends SnapshotMessage, ToLeader {}

    /**
     * All parts of a group, with the edges inside the group already checked.
     *
     * @param blocks number of parts combined
     * @param boundary recorded blocks that other groups read
     * @param used what blocks of this group used of blocks outside
     * @param broken blocks whose residual is not a finite number
     * @param iterations how many the blocks had completed together when they were recorded
     * @param digest of all recorded blocks of the group, so that exactly these are stored
     * @param costNanos largest CPU time spent on a part
     */
    record SnapshotGroupPart(
            long sid,
            GroupTerm term,
            int blocks,
            List<RecordedBlock> boundary,
            List<RecordedBlock> used,
            List<Integer> broken,
            PartialResidual residual,
            long iterations,
            long digest,
            long costNanos)
            implements GroupReply {
        public SnapshotGroupPart {
            boundary = List.copyOf(boundary);
            used = List.copyOf(used);
            broken = List.copyOf(broken);
        }
    }

    /** A record of this group is lost with its daemon before it was stored: this snapshot can never be delivered. */
    record Aborted(long sid, GroupTerm term) implements GroupReply {}

    /** All parts of a group are durable. */
    record SnapshotGroupStored(long sid, GroupTerm term, List<StoredPart> parts) implements GroupReply {
        public SnapshotGroupStored {
            parts = List.copyOf(parts);
        }
    }

    /** Asks the owner of {@code from} to send the recorded values that {@code to} reads (again). */
    record SnapshotHaloRequest(long sid, int from, int to) implements SnapshotMessage, ToDaemon {}

    /**
     * A durable part.
     *
     * @param part what was recorded
     * @param checksum CRC-32C of its values as stored
     */
    record StoredPart(RecordedBlock part, int checksum) {}
}

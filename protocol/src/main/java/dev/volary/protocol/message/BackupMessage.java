// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.util.List;

/** Which workers hold backups of blocks. */
public sealed interface BackupMessage {

    /** To the owner of a group, from its daemons and from owners of other groups. */
    sealed interface Report extends BackupMessage, ToSpawner {}

    /**
     * A daemon holds backups for its group; to the group's owner, sent repeatedly.
     *
     * @param copies wanted of each of its blocks
     * @param version of the newest {@link HolderListUpdate} it has; 0 if none
     * @param warmedUp whether it has found backups with their holders already
     */
    record HolderReport(BackupHolder holder, int copies, long version, boolean warmedUp) implements Report {}

    /**
     * Who keeps copies in groups that share their holders; between their owners.
     *
     * @param asks whether the receiver is to answer with all that it knows
     */
    record BuddyHolders(boolean asks, List<GroupHolders> groups) implements Report {
        public BuddyHolders {
            groups = List.copyOf(groups);
        }
    }

    /**
     * Who keeps copies in this group, in the place of any older list.
     *
     * @param version grows with each change of the list of this sender
     */
    record HolderListUpdate(long version, List<BackupHolder> holders) implements BackupMessage, ToDaemon {
        public HolderListUpdate {
            holders = List.copyOf(holders);
        }
    }

    /**
     * Who keeps copies in one group.
     *
     * @param version grows with each message about it
     */
    record GroupHolders(WorkerId owner, long version, List<BackupHolder> holders) {
        public GroupHolders {
            holders = List.copyOf(holders);
        }
    }
}

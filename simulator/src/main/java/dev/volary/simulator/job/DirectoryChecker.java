// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Checks assignments and updates of the block directory. One incarnation of a block is assigned to one daemon only, and updates
 * from one worker to another have different versions exactly if they have different entries.
 */
final class DirectoryChecker {
    /** Versions of a later term's block directory differ above these bits. */
    private static final int BITS_WITHIN_TERM = 32;

    private record Connection(WorkerId from, WorkerId to) {}

    private final Consumer<String> violated;
    private final Map<Incarnation, Map<Integer, WorkerId>> daemons = new HashMap<>();
    private final Map<Connection, BlockMessage.DirectoryUpdate> lastUpdates = new HashMap<>();

    DirectoryChecker(Consumer<String> violated) {
        this.violated = violated;
    }

    /** A daemon is assigned blocks. */
    void blocksAssigned(WorkerId daemon, BlockMessage.Assign message) {
        for (BlockAssignment entry : message.blocks()) {
            WorkerId before = daemons.computeIfAbsent(entry.incarnation(), i -> new HashMap<>())
                    .putIfAbsent(entry.block(), daemon);
            if (before != null && !before.equals(daemon)) {
                violated.accept("block " + entry.block() + " is given to two daemons as " + entry.incarnation());
            }
        }
    }

    /** A daemon tells a spawner that it belongs to another one: should it come back, it gets another version of the same entries. */
    void daemonLeft(WorkerId daemon, WorkerId spawner) {
        lastUpdates.remove(new Connection(spawner, daemon));
    }

    /** A worker sends its block directory: it has another version exactly if it has other entries. */
    void updateSent(Member from, WorkerId to, BlockMessage.DirectoryUpdate update) {
        BlockMessage.DirectoryUpdate before = lastUpdates.put(new Connection(from.id(), to), update);
        if (before == null || before.version() >>> BITS_WITHIN_TERM != update.version() >>> BITS_WITHIN_TERM) {
            return;
        }
        boolean sameVersion = before.version() == update.version();
        if (sameVersion != before.entries().equals(update.entries())) {
            violated.accept(from.name() + " sends version " + update.version() + " of a block directory after version "
                    + before.version() + ", whose entries are " + (sameVersion ? "others" : "the same"));
        }
    }
}

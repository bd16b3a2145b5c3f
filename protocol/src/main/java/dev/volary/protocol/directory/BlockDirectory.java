// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The block directory as this worker knows it. Of two entries for a block, the one with the higher incarnation wins. */
public final class BlockDirectory {
    private final TreeMap<Integer, BlockAssignment> entries = new TreeMap<>();

    /** Takes an entry; returns whether it is newer than what was known. */
    public boolean merge(BlockAssignment entry) {
        BlockAssignment known = entries.get(entry.block());
        if (known != null && known.incarnation().compareTo(entry.incarnation()) >= 0) {
            return false;
        }
        entries.put(entry.block(), entry);
        return true;
    }

    /** The newest entry for a block. */
    public Optional<BlockAssignment> find(int block) {
        return Optional.ofNullable(entries.get(block));
    }

    /** The daemon that serves a block. */
    public Optional<WorkerId> daemonOf(int block) {
        return find(block).map(entry -> entry.daemon().id());
    }

    /**
     * Sends a message to each daemon that serves one of these blocks. Makes the daemon reachable first: another group's owner
     * may have assigned a block to one that is unknown here.
     */
    public void sendTo(Collection<Integer> blocks, Message message, Turn turn) {
        Set<Member> daemons = new LinkedHashSet<>();
        blocks.forEach(block -> find(block).map(BlockAssignment::daemon).ifPresent(daemons::add));
        for (Member daemon : daemons) {
            turn.add(new WorkerAction.AddPeer(daemon));
            turn.send(daemon.id(), message);
        }
    }

    /** Number of entries. */
    public int size() {
        return entries.size();
    }
}

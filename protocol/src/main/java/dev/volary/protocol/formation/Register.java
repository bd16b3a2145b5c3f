package dev.volary.protocol.formation;

import dev.volary.protocol.NodeId;
import dev.volary.protocol.RegisterEntry;
import java.util.Optional;
import java.util.TreeMap;

/** Who serves which block, as far as this worker knows; of two entries the higher incarnation holds. */
public final class Register {
    private final TreeMap<Integer, RegisterEntry> entries = new TreeMap<>();

    /** Takes an entry; returns whether it is newer than what was known. */
    public boolean merge(RegisterEntry entry) {
        RegisterEntry known = entries.get(entry.block());
        if (known != null && known.incarnation().compareTo(entry.incarnation()) >= 0) {
            return false;
        }
        entries.put(entry.block(), entry);
        return true;
    }

    /** The newest entry for a block. */
    public Optional<RegisterEntry> find(int block) {
        return Optional.ofNullable(entries.get(block));
    }

    /** The daemon that serves a block. */
    public Optional<NodeId> daemonOf(int block) {
        return find(block).map(entry -> entry.daemon().id());
    }

    /** Number of entries. */
    public int size() {
        return entries.size();
    }
}

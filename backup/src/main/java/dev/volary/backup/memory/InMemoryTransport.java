// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.memory;

import dev.volary.backup.BackupStore;
import dev.volary.backup.StoreSettings;
import dev.volary.backup.replica.CopyKey;
import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.HolderReply;
import dev.volary.backup.replica.HolderRequest;
import dev.volary.backup.replica.ReplicaTransport;
import dev.volary.backup.replica.ReplicatedBackupStore;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/** A group whose members are stores in this process, with copies on the heap. Safe for use by several threads. */
public final class InMemoryTransport {
    private final Map<WorkerId, Member> members = new ConcurrentHashMap<>();

    /** A new member; it joins when its store is told who is alive. */
    public BackupStore store(BackupHolder self, StoreSettings settings) {
        return new ReplicatedBackupStore(self, settings, new Member(self.id()));
    }

    /** Ends a member as if its process were killed: its copies are gone, and nobody is told by it. */
    public void kill(WorkerId member) {
        Member dead = members.remove(member);
        if (dead != null) {
            tellAll();
        }
    }

    /** The copies a member keeps, as header and value; for damaging them. */
    public ConcurrentMap<CopyKey, byte[]> copiesOf(WorkerId member) {
        Member holder = members.get(member);
        if (holder == null) {
            throw new IllegalArgumentException("member " + member + " has not joined or is gone");
        }
        return holder.frames;
    }

    private synchronized void tellAll() { // one after the other, so that nobody hears an older list last
        members.values().forEach(Member::tell);
    }

    private final class Member implements ReplicaTransport {
        private final WorkerId id;
        private final ConcurrentMap<CopyKey, byte[]> frames = new ConcurrentHashMap<>();
        private final HeldReplicas held = new HeldReplicas(frames);
        private volatile Consumer<Set<WorkerId>> changed = now -> {};

        Member(WorkerId id) {
            this.id = id;
        }

        @Override
        public void start(Consumer<Set<WorkerId>> listener) {
            changed = listener;
            members.put(id, this);
            tellAll();
        }

        @Override
        public void members(List<BackupHolder> others) {
            // Who is killed is gone at once.
        }

        @Override
        public CompletableFuture<HolderReply> ask(WorkerId member, HolderRequest request) {
            Member asked = members.get(member);
            return asked == null
                    ? CompletableFuture.failedFuture(new IllegalStateException("member " + member + " is gone"))
                    : CompletableFuture.completedFuture(asked.held.answer(request));
        }

        @Override
        public void close() {
            if (members.remove(id, this)) {
                tellAll();
            }
        }

        private void tell() {
            Set<WorkerId> others = new HashSet<>(members.keySet());
            others.remove(id);
            changed.accept(Set.copyOf(others));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.memory;

import dev.volary.backup.BackupStore;
import dev.volary.backup.StoreSettings;
import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.HolderReply;
import dev.volary.backup.replica.HolderRequest;
import dev.volary.backup.replica.ReplicaKey;
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

    /** A new member; it joins when its store receives the list of live members. */
    public BackupStore store(BackupHolder self, StoreSettings settings) {
        return new ReplicatedBackupStore(self, settings, new Member(self.id()));
    }

    /** Ends a member as if its process were killed: its copies are lost, and it sends no message. */
    public void kill(WorkerId member) {
        Member dead = members.remove(member);
        if (dead != null) {
            reportMembersToAll();
        }
    }

    /** The copies a member keeps, as header and value; for damaging them. */
    public ConcurrentMap<ReplicaKey, byte[]> copiesOf(WorkerId member) {
        Member holder = members.get(member);
        if (holder == null) {
            throw new IllegalArgumentException("member " + member + " has not joined or is dead");
        }
        return holder.frames;
    }

    private synchronized void
            reportMembersToAll() { // one after the other, so that no member receives an older list last
        members.values().forEach(Member::reportMembers);
    }

    private final class Member implements ReplicaTransport {
        private final WorkerId id;
        private final ConcurrentMap<ReplicaKey, byte[]> frames = new ConcurrentHashMap<>();
        private final HeldReplicas held = new HeldReplicas(frames);
        private volatile Consumer<Set<WorkerId>> changed = now -> {};

        Member(WorkerId id) {
            this.id = id;
        }

        @Override
        public void start(Consumer<Set<WorkerId>> listener) {
            changed = listener;
            members.put(id, this);
            reportMembersToAll();
        }

        @Override
        public void members(List<BackupHolder> others) {
            // A killed member is removed at once.
        }

        @Override
        public CompletableFuture<HolderReply> ask(WorkerId member, HolderRequest request) {
            Member asked = members.get(member);
            return asked == null
                    ? CompletableFuture.failedFuture(
                            new IllegalStateException("member " + member + " is no longer in the group"))
                    : CompletableFuture.completedFuture(asked.held.answer(request));
        }

        @Override
        public void close() {
            if (members.remove(id, this)) {
                reportMembersToAll();
            }
        }

        private void reportMembers() {
            Set<WorkerId> others = new HashSet<>(members.keySet());
            others.remove(id);
            changed.accept(Set.copyOf(others));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.HolderReply;
import dev.volary.backup.replica.HolderRequest;
import dev.volary.backup.replica.ReplicaCodec;
import dev.volary.backup.replica.ReplicaTransport;
import dev.volary.mesh.spawnerapi.ReplicaClient;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries requests over the mesh: to any listed member at once, over a connection that the first request to it opens. Safe for
 * use by several threads.
 */
public final class MeshReplicaTransport implements ReplicaTransport {
    /** Timeout of a reply of a few bytes. A search that gets none asks again. */
    private static final Duration LOOK_TIMEOUT = Duration.ofSeconds(3);
    /** Timeout of a request or reply that carries a value. */
    private static final Duration TRANSFER_TIMEOUT = Duration.ofSeconds(20);

    /** Makes the connection to a member's bulk address. */
    public interface Connector {
        ReplicaClient connect(Address bulk) throws IOException;
    }

    private final WorkerId self;
    private final HeldReplicas held;
    private final Connector connector;

    // Guarded by this.
    private Map<WorkerId, Address> members = Map.of();
    private final Map<WorkerId, ReplicaClient> clients = new HashMap<>();
    private @Nullable Consumer<Set<WorkerId>> changed;

    /** @param held answers requests to this member */
    public MeshReplicaTransport(WorkerId self, HeldReplicas held, Connector connector) {
        this.self = self;
        this.held = held;
        this.connector = connector;
    }

    @Override
    public synchronized void start(Consumer<Set<WorkerId>> listener) {
        changed = listener;
        listener.accept(members.keySet());
    }

    @Override
    public synchronized void members(List<BackupHolder> others) {
        Map<WorkerId, Address> listed = new HashMap<>();
        others.forEach(other -> other.bulk().ifPresent(bulk -> listed.put(other.id(), bulk)));
        clients.entrySet().removeIf(entry -> {
            boolean isGone = !listed.containsKey(entry.getKey());
            if (isGone) {
                entry.getValue().close();
            }
            return isGone;
        });
        members = Map.copyOf(listed);
        if (changed != null) {
            changed.accept(members.keySet());
        }
    }

    @Override
    public CompletableFuture<HolderReply> ask(WorkerId member, HolderRequest request) {
        if (member.equals(self)) {
            return CompletableFuture.completedFuture(held.answer(request));
        }
        try {
            return client(member)
                    .ask(
                            request instanceof HolderRequest.Look ? LOOK_TIMEOUT : TRANSFER_TIMEOUT,
                            ReplicaCodec.parts(request))
                    .thenApply(ReplicaCodec::reply);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized ReplicaClient client(WorkerId member) throws IOException {
        Address bulk = members.get(member);
        if (bulk == null) {
            throw new IllegalStateException("member " + member + " is not listed, or does not answer over the mesh");
        }
        ReplicaClient known = clients.get(member);
        if (known == null) {
            known = connector.connect(bulk);
            clients.put(member, known);
        }
        return known;
    }

    @Override
    public synchronized void close() {
        changed = null;
        members = Map.of();
        clients.values().forEach(ReplicaClient::close);
        clients.clear();
    }
}

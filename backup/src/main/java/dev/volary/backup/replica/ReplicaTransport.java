// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Carries requests to the members of a group. */
public interface ReplicaTransport extends AutoCloseable {

    /**
     * Begins.
     *
     * @param changed receives the other members that can be asked, whenever they change, the newest last; called by any
     *     thread, must not wait
     */
    void start(Consumer<Set<WorkerId>> changed);

    /** Who is alive, this member not among them. Requests to members that are missing fail at once. */
    void members(List<BackupHolder> others);

    /** Asks a member; itself is allowed. Never blocks; fails if the member has left, cannot be reached or does not answer. */
    CompletableFuture<HolderReply> ask(WorkerId member, HolderRequest request);

    /** Leaves, boundedly. */
    @Override
    void close();
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup;

import dev.volary.backup.replica.ReplicaKey;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.util.concurrent.ConcurrentMap;

/** A group of members under test. */
public interface Group extends AutoCloseable {

    /** Starts a member; it joins when it receives the list of live members. */
    BackupStore open(BackupHolder member, StoreSettings settings) throws Exception;

    /** A member's description. */
    BackupHolder holder(long id, String host, String zone) throws Exception;

    /** The copies a member keeps, for damaging them. */
    ConcurrentMap<ReplicaKey, byte[]> copiesOf(WorkerId member);

    /** Ends a member without a message to the others. */
    void kill(WorkerId member);

    @Override
    void close();
}

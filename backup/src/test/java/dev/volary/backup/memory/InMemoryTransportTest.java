// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.memory;

import dev.volary.backup.BackupStore;
import dev.volary.backup.BackupStoreRules;
import dev.volary.backup.Group;
import dev.volary.backup.StoreSettings;
import dev.volary.backup.replica.ReplicaKey;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentMap;

class InMemoryTransportTest extends BackupStoreRules {
    @Override
    protected Group group() {
        InMemoryTransport group = new InMemoryTransport();
        List<BackupStore> stores = new ArrayList<>();
        return new Group() {
            @Override
            public BackupStore open(BackupHolder member, StoreSettings settings) {
                stores.add(group.store(member, settings));
                return stores.getLast();
            }

            @Override
            public BackupHolder holder(long id, String host, String zone) {
                return new BackupHolder(new WorkerId(id), host, zone, new Address("127.0.0.1", 1));
            }

            @Override
            public ConcurrentMap<ReplicaKey, byte[]> copiesOf(WorkerId member) {
                return group.copiesOf(member);
            }

            @Override
            public void kill(WorkerId member) {
                group.kill(member);
            }

            @Override
            public void close() {
                stores.forEach(BackupStore::close);
            }
        };
    }
}

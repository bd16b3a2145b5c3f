// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

import java.util.Optional;

/**
 * A member of the group that keeps copies for others: a daemon or their spawner.
 *
 * @param id of the process
 * @param host machine it runs on; empty if unknown
 * @param zone of the machine; empty if unknown
 * @param address where its store listens
 * @param bulk where its mesh answers requests for replicas; empty if its version does not
 */
public record BackupHolder(WorkerId id, String host, String zone, Address address, Optional<Address> bulk) {

    /** A member that answers in its store only. */
    public BackupHolder(WorkerId id, String host, String zone, Address address) {
        this(id, host, zone, address, Optional.empty());
    }

    /** How far apart two members fail: 0 same process, 1 same host, 2 same zone, 3 different zones. */
    public int distance(BackupHolder other) {
        if (id.equals(other.id)) {
            return 0;
        }
        if (!zone.equals(other.zone)) {
            return 3;
        }
        return host.equals(other.host) ? 1 : 2;
    }
}

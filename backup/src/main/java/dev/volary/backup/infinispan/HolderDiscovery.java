// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.PingData;
import org.jgroups.protocols.TCPPING;
import org.jgroups.util.Responses;

/**
 * JGroups' discovery by a list of addresses, where the list comes from the holder directory and changes. The member that founds
 * a cluster if there is none is known beforehand. JGroups would leave that to the random order of its addresses, for which all
 * members have to wait for all: here the founder waits until every member has answered, and the others until it has founded.
 */
public final class HolderDiscovery extends TCPPING {
    // Clusters that were founded side by side merge, but slowly: everyone but one gives that one time.
    private static final int OTHERS_WAIT = 4;
    private static final long RUN_MILLIS = 300;
    private static final long LOOK_MILLIS = 20;

    private final boolean founder;

    /**
     * Called by {@link JGroupsStack}.
     *
     * @param founder whether this member founds the cluster if there is none; if it does not, others do after four times as long
     * @param join how long the founder looks for members before it does
     */
    HolderDiscovery(boolean founder, Duration join) {
        this.founder = founder;
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
        setPortRange(0);
        num_discovery_runs = (int) Math.max(1, join.toMillis() / RUN_MILLIS);
        initial_hosts_set_programmatically = true;
    }

    /** Where members listen, from now on; those that were found otherwise are forgotten. */
    void members(Collection<PhysicalAddress> addresses) {
        initial_hosts = List.copyOf(addresses);
        if (dynamic_hosts != null) {
            dynamic_hosts.clear();
        }
    }

    /**
     * Called by JGroups, to join and to find clusters that are to be merged.
     *
     * @param timeout of one look around, in milliseconds
     * @return members; none at all if there is no cluster and this member is to found it
     */
    @Override
    public Responses findMembers(List<Address> members, boolean initialDiscovery, boolean async, long timeout) {
        if (!initialDiscovery) {
            return super.findMembers(members, false, async, timeout);
        }
        long deadline = System.nanoTime() + timeout * 1_000_000 * (founder ? 1 : OTHERS_WAIT);
        Responses found;
        do {
            found = super.findMembers(members, true, async, timeout);
            lookAround(found, timeout);
        } while (!hasCluster(found) && System.nanoTime() < deadline);
        return founder && !hasCluster(found) ? new Responses(true).done() : found.done();
    }

    /** Waits until a member has a cluster; a founder no longer than until every member has answered. */
    private void lookAround(Responses found, long timeout) {
        long deadline = System.nanoTime() + timeout * 1_000_000;
        while (!found.waitFor(LOOK_MILLIS) && System.nanoTime() < deadline) {
            if (founder && found.size() >= initial_hosts.size()) {
                return;
            }
        }
    }

    private static boolean hasCluster(Responses found) {
        for (PingData one : found) {
            if (one.isCoord()) {
                return true;
            }
        }
        return false;
    }
}

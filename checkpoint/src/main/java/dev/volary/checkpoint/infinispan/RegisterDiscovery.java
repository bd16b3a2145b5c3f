package dev.volary.checkpoint.infinispan;

import java.util.Collection;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;
import org.jgroups.util.Responses;

/**
 * JGroups' discovery by a list of addresses, where the list comes from the register and changes. Who founds a cluster when
 * nobody has one is known beforehand. JGroups would leave that to the random order of its addresses, for which all have to
 * wait for all: here the founder waits no longer than until everyone has answered, and the others until it has founded.
 */
public final class RegisterDiscovery extends TCPPING {
    private static final long RUN_MILLIS = 300;
    private static final long LOOK_MILLIS = 20;

    private final boolean founder;

    /**
     * Called by {@link ClusterChannel}.
     *
     * @param wait how long members are looked for, in milliseconds
     */
    RegisterDiscovery(boolean founder, long wait) {
        this.founder = founder;
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
        setPortRange(0);
        num_discovery_runs = (int) Math.max(1, wait / RUN_MILLIS);
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
     * @param timeout in milliseconds
     * @return members; none at all if there is no cluster and this member is to found it
     */
    @Override
    public Responses findMembers(List<Address> members, boolean initialDiscovery, boolean async, long timeout) {
        Responses found = super.findMembers(members, initialDiscovery, async, timeout);
        if (!initialDiscovery || !founder) {
            return found;
        }
        long deadline = System.nanoTime() + timeout * 1_000_000;
        while (found.size() < initial_hosts.size() && System.nanoTime() < deadline && !found.waitFor(LOOK_MILLIS)) {
            // not everyone has answered, and nobody that has a cluster
        }
        for (var one : found) {
            if (one.isCoord()) {
                return found;
            }
        }
        return new Responses(true).done();
    }
}

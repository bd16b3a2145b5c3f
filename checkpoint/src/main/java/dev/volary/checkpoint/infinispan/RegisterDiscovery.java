package dev.volary.checkpoint.infinispan;

import java.util.Collection;
import java.util.List;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;

/** JGroups' discovery by a list of addresses, where the list comes from the register and changes. */
public final class RegisterDiscovery extends TCPPING {

    /**
     * Called by {@link ClusterChannel}.
     *
     * @param runs how often members are asked while this one tries to join
     */
    RegisterDiscovery(int runs) {
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
        setPortRange(0);
        num_discovery_runs = runs;
        initial_hosts_set_programmatically = true;
    }

    /** Where members listen, from now on; those that were found otherwise are forgotten. */
    void members(Collection<PhysicalAddress> addresses) {
        initial_hosts = List.copyOf(addresses);
        if (dynamic_hosts != null) {
            dynamic_hosts.clear();
        }
    }
}

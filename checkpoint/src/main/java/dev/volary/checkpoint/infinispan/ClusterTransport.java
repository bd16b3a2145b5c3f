package dev.volary.checkpoint.infinispan;

import java.util.Collection;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.DiagnosticsHandler;

/**
 * JGroups' TCP with a connection for each direction. One connection for both, as TCP has it, is made from both ends at once
 * when a group forms; one of the two is then closed in the middle of its TLS handshake with the messages in it, and the
 * handshake is made in the thread that accepts. For the same reason connections to those who are about to become members are
 * left alone when the view changes: only those to former members are closed.
 */
public final class ClusterTransport extends TCP {
    private Set<Address> connectedTo = Set.of();

    /** Called by {@link ClusterChannel}. */
    public ClusterTransport() {
        setId(ClassConfigurator.getProtocolId(TCP.class));
    }

    @Override
    public void start() throws Exception {
        super.start();
        srv.usePeerConnections(false);
    }

    @Override
    public synchronized void retainAll(Collection<Address> now) {
        for (Address former : connectedTo) {
            if (!now.contains(former)) {
                srv.closeConnection(former, false);
            }
        }
        connectedTo = Set.copyOf(now);
    }

    /** Diagnostics would listen to multicast. */
    @Override
    protected DiagnosticsHandler createDiagnosticsHandler() {
        return super.createDiagnosticsHandler().setEnabled(false);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.sql.DataSource;
import org.infinispan.remoting.transport.jgroups.JGroupsChannelConfigurator;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.PhysicalAddress;
import org.jgroups.View;
import org.jgroups.conf.ProtocolConfiguration;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.NameCache;
import org.jgroups.util.SocketFactory;

/**
 * The protocol stack of a group: TCP with mutual TLS, members found by the addresses it is given, no multicast. A
 * killed member is suspected when its connections break and is asked once more: it is out of the view after about 0.5 s. A member
 * whose machine falls silent is out after 24 s. That time is long because a false verdict costs copies; daemons are replaced by
 * the failure detection over gRPC, not by this one.
 */
final class JGroupsStack implements JGroupsChannelConfigurator {
    private static final long SUSPECT_MILLIS = 500;
    private static final long SILENCE_MILLIS = 24_000;
    private static final long HEARTBEAT_MILLIS = 8_000;
    /** Interval of the search for clusters to merge when no member is missing; {@link #seek} is for missing members. */
    private static final long MERGE_LEAST_MILLIS = 10_000;

    private static final long MERGE_MOST_MILLIS = 30_000;
    /** A cold TLS handshake on a busy machine takes a second; a member that gives up earlier founds a cluster of its own. */
    static final Duration JOIN = Duration.ofSeconds(2);

    /** TCP loses what is on its way when a connection breaks, and what has no address yet; each look for that is a waking. */
    private static final long REPEAT_MILLIS = 1_000;

    private static final int CONNECT_MILLIS = 1_000;
    private static final long CREDIT_BYTES = 8L << 20; // in flight to one receiver

    private final HolderDiscovery discovery;
    private final MERGE3 merging = new MERGE3();
    private final JChannel channel;

    /**
     * @param join how long the founder looks for members before it founds a cluster, and an answer to joining is waited for
     * @param founder as in {@link HolderDiscovery}
     */
    JGroupsStack(String name, InetSocketAddress listen, SSLContext tls, Duration join, boolean founder)
            throws Exception {
        DefaultSocketFactory sockets = new DefaultSocketFactory(tls);
        sockets.setServerSocketConfigurator(socket -> ((SSLServerSocket) socket).setNeedClientAuth(true));
        PerMemberTcp transport = new PerMemberTcp();
        transport.setBindAddress(listen.getAddress());
        transport.setBindPort(listen.getPort());
        transport.setPortRange(0);
        transport.setSockConnTimeout(CONNECT_MILLIS);
        transport.useVirtualThreads(false); // class loading pins them, and there may be two carriers
        transport.enableSuspectEvents(true);
        transport.setSocketFactory(sockets);
        discovery = new HolderDiscovery(founder, join);
        List<Protocol> stack = new ArrayList<>(List.of(
                transport,
                discovery,
                merging.setMinInterval(MERGE_LEAST_MILLIS).setMaxInterval(MERGE_MOST_MILLIS),
                new FD_ALL3().setTimeout(SILENCE_MILLIS).setInterval(HEARTBEAT_MILLIS),
                new VERIFY_SUSPECT2().setTimeout(SUSPECT_MILLIS),
                new NAKACK2().useMcastXmit(false),
                new UNICAST3().setXmitInterval(REPEAT_MILLIS),
                new STABLE(),
                new GMS()
                        .printLocalAddress(false)
                        .setJoinTimeout(join.toMillis())
                        .setLeaveTimeout(500)
                        .setViewAckCollectionTimeout(500),
                new UFC().setMaxCredits(CREDIT_BYTES),
                new MFC().setMaxCredits(CREDIT_BYTES),
                new FRAG4()));
        channel = new JChannel(stack);
        channel.setName(name);
    }

    /** Where members listen, from now on. */
    void members(Collection<InetSocketAddress> addresses) {
        List<PhysicalAddress> hosts = new ArrayList<>();
        for (InetSocketAddress address : addresses) {
            InetAddress ip = address.getAddress();
            if (ip != null) { // a name that does not resolve yet is tried again with the next change
                hosts.add(new IpAddress(ip, address.getPort()));
            }
        }
        discovery.members(hosts);
    }

    /**
     * Members that others report dead: each is asked once more, as when its connections break, and then is out of the view.
     *
     * @param names as given to their channels
     */
    void suspect(Set<String> names) {
        View view = channel.getView();
        if (view == null) {
            return;
        }
        List<Address> suspects = view.getMembers().stream()
                .filter(member -> names.contains(NameCache.get(member)))
                .toList();
        if (!suspects.isEmpty()) {
            merging.up(new Event(Event.SUSPECT, suspects));
        }
    }

    /** Checks what other members have said of their clusters, and sends them information on this one, without waiting for the next interval. */
    void seek() {
        merging.checkInconsistencies();
        merging.sendInfo();
    }

    /** Closes all sockets at once, without leaving: to the others it looks like a killed process. */
    void closeSockets() {
        channel.getProtocolStack().getTransport().stop();
    }

    @Override
    public JChannel createChannel(String name) {
        return channel;
    }

    @Override
    public String getName() {
        return "volary";
    }

    @Override
    public void setSocketFactory(SocketFactory factory) {
        throw new UnsupportedOperationException("the channel has its sockets");
    }

    @Override
    public void setDataSource(DataSource source) {
        throw new UnsupportedOperationException("no data source is used");
    }

    @Override
    public String getProtocolStackString() {
        return channel.getProtocolStack().printProtocolSpec(false);
    }

    @Override
    public List<ProtocolConfiguration> getProtocolStack() {
        return List.of();
    }
}

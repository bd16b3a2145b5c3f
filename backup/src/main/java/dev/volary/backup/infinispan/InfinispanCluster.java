// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.HolderReply;
import dev.volary.backup.replica.ReplicaCodec;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.infinispan.commons.jdkspecific.ThreadCreator;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ShutdownHookBehavior;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachemanagerlistener.annotation.Merged;
import org.infinispan.notifications.cachemanagerlistener.annotation.ViewChanged;
import org.infinispan.notifications.cachemanagerlistener.event.ViewChangedEvent;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;

/**
 * This member's part of the Infinispan cluster. Infinispan's topology hints say who a member is and where: machine, rack and
 * site are the process, its host and its zone.
 */
final class InfinispanCluster {
    /** JGroups counts from 0. */
    private static final int BEFORE_ALL_VIEWS = -1;

    private final WorkerId self;
    private final HeldReplicas held;
    private final JGroupsStack channel;
    private final EmbeddedCacheManager manager;

    /** Prepares; nothing listens yet. {@code held} answers the others; the other parameters as for {@link JGroupsStack}. */
    InfinispanCluster(
            String group, BackupHolder self, HeldReplicas held, SSLContext tls, Duration join, boolean founder)
            throws Exception {
        QuietLogging.install();
        ThreadCreator.useVirtualThreads(false); // as in JGroupsStack
        this.self = self.id();
        this.held = held;
        this.channel = new JGroupsStack(self.id().toString(), socketAddress(self), tls, join, founder);
        GlobalConfigurationBuilder global = GlobalConfigurationBuilder.defaultClusteredBuilder();
        global.transport()
                .addProperty(JGroupsTransport.CHANNEL_CONFIGURATOR, channel)
                .clusterName(group)
                .nodeName(self.id().toString())
                .machineId(self.id().toString())
                .rackId(self.host())
                .siteId(self.zone());
        global.serialization().marshaller(new CallMarshaller(held));
        global.shutdown().hookBehavior(ShutdownHookBehavior.DONT_REGISTER);
        global.jmx().disable();
        global.metrics().gauges(false).histograms(false);
        manager = new DefaultCacheManager(global.build(), false);
    }

    /** Where members listen. */
    void members(Collection<BackupHolder> others) {
        channel.members(others.stream().map(InfinispanCluster::socketAddress).toList());
    }

    /**
     * Joins, or founds the cluster if none of the members is there. Takes seconds.
     *
     * @param view receives the members of the cluster, this one included, whenever they change; the newest last
     */
    void join(Consumer<Map<WorkerId, Address>> view) {
        Latest<Map<WorkerId, Address>> latest = new Latest<>(view);
        manager.addListener(new Views(latest));
        manager.start();
        latest.offer(BEFORE_ALL_VIEWS, byId(manager.getMembers())); // if the listener received no view yet
    }

    /** Others report that these are dead; a member that does not answer is removed from the view half a second later. */
    void suspect(Set<WorkerId> suspects) {
        channel.suspect(suspects.stream().map(WorkerId::toString).collect(Collectors.toSet()));
    }

    /** Looks for other clusters of its name among the members, and merges with those that it knows of. */
    void seek() {
        channel.seek();
    }

    /** Asks a member. May block for its flow control; completes by any thread, with a failure after {@code patience}. */
    CompletableFuture<HolderReply> ask(Address member, byte[] request, Duration patience) {
        CompletableFuture<HolderReply> answer = new CompletableFuture<>();
        Function<EmbeddedCacheManager, byte[]> call = new HolderTask(request, held);
        manager.executor()
                .filterTargets(List.of(member))
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .submitConsumer(call, (from, reply, failure) -> {
                    if (failure != null) {
                        answer.completeExceptionally(failure);
                    } else {
                        answer.complete(ReplicaCodec.reply(reply));
                    }
                })
                .exceptionally(failure -> {
                    answer.completeExceptionally(failure);
                    return null;
                });
        return answer;
    }

    /** Leaves the cluster. May block without a bound. */
    void leave() {
        manager.stop();
    }

    /** Closes all sockets without leaving the cluster. */
    void closeSockets() {
        channel.closeSockets();
    }

    /** Where a member listens. */
    static InetSocketAddress socketAddress(BackupHolder holder) {
        return new InetSocketAddress(holder.address().host(), holder.address().port());
    }

    private static Map<WorkerId, Address> byId(List<Address> members) {
        Map<WorkerId, Address> result = new HashMap<>();
        for (Address member : members) {
            result.put(new WorkerId(Long.parseUnsignedLong(member.getMachineId(), 16)), member);
        }
        return Map.copyOf(result);
    }

    @Override
    public String toString() {
        return "Cluster[" + self + "]";
    }

    /** Public for Infinispan, which calls it by reflection. */
    @Listener
    public static final class Views {
        private final Latest<Map<WorkerId, Address>> view;

        Views(Latest<Map<WorkerId, Address>> view) {
            this.view = view;
        }

        /** Called by Infinispan. */
        @ViewChanged
        @Merged
        public void changed(ViewChangedEvent event) {
            view.offer(event.getViewId(), byId(event.getNewMembers()));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.v1.IntroduceReply;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Finds the job's spawners by their names and asks each who it is, again and again: often until the job is formed, then now and
 * then. Safe for use by several threads.
 */
public final class SpawnerDiscovery implements AutoCloseable {
    private static final Duration OFTEN = Duration.ofMillis(500);
    private static final Duration SELDOM = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(2);
    /** Waits this long for all spawners: with only some of them the job would have too few; but some may never come. */
    private static final Duration GATHERING = Duration.ofSeconds(5);

    private final SpawnerNames names;
    private final int expected;
    private final Address own;
    private final IdentitySource identity;
    private final ApiChannels channels;
    private final Map<Address, SpawnerClient> clients = new HashMap<>();
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closed;

    /**
     * Does not look yet.
     *
     * @param expected spawners of the job
     * @param own address that is not asked
     * @param channels closed by its owner
     */
    public SpawnerDiscovery(
            SpawnerNames names, int expected, Address own, IdentitySource identity, ApiChannels channels) {
        this.names = names;
        this.expected = expected;
        this.own = own;
        this.identity = identity;
        this.channels = channels;
    }

    /**
     * Begins to look.
     *
     * @param found receives those that answered, on a thread of its own
     */
    public void start(Consumer<List<Member>> found) {
        Thread.ofPlatform().daemon().name("discovery").start(() -> discoverUntilClosed(found));
    }

    private void discoverUntilClosed(Consumer<List<Member>> found) {
        long firstAt = Long.MAX_VALUE;
        try {
            while (!closed) {
                Set<Address> addresses = names.resolve();
                List<IntroduceReply> replies = introduce(addresses);
                long now = System.nanoTime();
                int seen = replies.size() + (addresses.contains(own) ? 1 : 0);
                if (seen > 0) {
                    firstAt = Math.min(firstAt, now);
                }
                boolean isLed = replies.stream().anyMatch(reply -> reply.getLeader() != 0);
                boolean formed = isLed || seen >= expected;
                if (formed || (seen > 0 && now - firstAt >= GATHERING.toNanos())) {
                    found.accept(replies.stream()
                            .map(reply -> Shapes.read(reply.getSelf()))
                            .toList());
                }
                Thread.sleep(formed && seen >= expected ? SELDOM : OFTEN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The spawners of a job other than this one, at one moment.
     *
     * @param leader the one with the highest term that any of them names; empty if none knows one
     * @param answering those that answer, in the order of their ids
     */
    public record Discovered(Optional<Member> leader, List<Member> answering) {
        /** Whether this spawner leads. */
        boolean leads(Member spawner) {
            return leader.filter(l -> l.id().equals(spawner.id())).isPresent();
        }

        /**
         * Who keeps second copies for the leader, among those that answer: one on another machine if there is one, the next in the ring
         * of ids.
         *
         * @param unable those that cannot keep them
         */
        Optional<Member> secondKeeper(Set<WorkerId> unable) {
            return leader.flatMap(l -> answering.stream()
                    .filter(spawner -> !spawner.id().equals(l.id()) && !unable.contains(spawner.id()))
                    .min(Comparator.comparing((Member spawner) -> !spawner.isOnAnotherMachine(l))
                            .thenComparing(spawner -> spawner.id().compareTo(l.id()) < 0)
                            .thenComparing(Member::id)));
        }
    }

    /** Asks all of them who they are; those that do not answer in time are missing. */
    List<IntroduceReply> introduce() throws InterruptedException {
        return introduce(names.resolve());
    }

    /** Asks all of them who they are and who leads. */
    public Discovered discover() throws InterruptedException {
        List<IntroduceReply> replies = introduce();
        List<Member> answering = replies.stream()
                .map(reply -> Shapes.read(reply.getSelf()))
                .sorted(Comparator.comparing(Member::id))
                .toList();
        Optional<IntroduceReply> newest = replies.stream()
                .filter(reply -> reply.getLeader() != 0)
                .max((a, b) -> Long.compareUnsigned(a.getTerm(), b.getTerm()));
        if (newest.isEmpty()) {
            return new Discovered(Optional.empty(), answering);
        }
        List<Member> known = new ArrayList<>(answering);
        newest.get().getSpawnersList().forEach(spawner -> known.add(Shapes.read(spawner)));
        return new Discovered(
                known.stream()
                        .filter(member -> member.id().value() == newest.get().getLeader())
                        .findFirst(),
                answering);
    }

    /** A spawner at an address; not to be closed by the caller. */
    public SpawnerClient client(Address address) throws IOException {
        synchronized (clients) {
            SpawnerClient there = clients.get(address);
            if (there == null) {
                there = channels.spawner(address, identity);
                clients.put(address, there);
            }
            return there;
        }
    }

    private List<IntroduceReply> introduce(Set<Address> addresses) throws InterruptedException {
        forgetOthers(addresses);
        List<Callable<IntroduceReply>> questions = new ArrayList<>();
        for (Address address : addresses) {
            if (!address.equals(own)) {
                questions.add(() -> client(address).introduce(ANSWER));
            }
        }
        List<IntroduceReply> replies = new ArrayList<>();
        for (Future<IntroduceReply> answer : calls.invokeAll(questions, 2 * ANSWER.toMillis(), TimeUnit.MILLISECONDS)) {
            if (answer.state() == Future.State.SUCCESS) {
                replies.add(answer.resultNow());
            }
        }
        return replies;
    }

    private void forgetOthers(Set<Address> addresses) {
        synchronized (clients) {
            clients.entrySet().removeIf(entry -> {
                boolean removed = !addresses.contains(entry.getKey());
                if (removed) {
                    entry.getValue().close();
                }
                return removed;
            });
        }
    }

    @Override
    public void close() {
        closed = true;
        calls.shutdownNow();
        forgetOthers(Set.of());
    }
}

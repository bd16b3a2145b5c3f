// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.spawnerapi.RemoteFailureException;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.worker.result.FilePartRepository;
import dev.volary.worker.result.PartRepository;
import dev.volary.worker.result.PartWriter;
import dev.volary.worker.result.StoreTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stores recorded parts on spawners and reads them again. The leader stores each part, and another spawner a second copy, so that the
 * part outlives either. Waits for another leader while there is none. For one thread.
 */
public final class RemotePartRepository implements PartRepository {
    /** How long a part waits for a leader, or for one that takes a byte more of it: longer than an election takes. */
    private static final Duration ELECTION = Duration.ofSeconds(60);

    /** How long a daemon looks for a part at a time. It tries twenty times, which is longer than an election takes. */
    public static final Duration SEARCH = Duration.ofSeconds(3);

    /** How long a part waits for a second spawner before the leader's copy must do. */
    private static final Duration SECOND = Duration.ofSeconds(3);

    /** After no second spawner was found, parts do not wait for one for this time. */
    private static final Duration ALONE = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final SpawnerDiscovery spawners;
    private final int copies;
    private final Duration patience;
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private long aloneUntil = Long.MIN_VALUE;

    /**
     * @param copies of each part, 1 or 2
     * @param patience how long a part is looked for while no spawner has it
     */
    public RemotePartRepository(SpawnerDiscovery spawners, int copies, Duration patience) {
        this.spawners = spawners;
        this.copies = copies;
        this.patience = patience;
    }

    @Override
    public int store(long sid, int block, double[] values, int count) throws IOException {
        long start = System.nanoTime();
        AtomicLong progressAt = new AtomicLong(start);
        IOException last = new IOException("no spawner says who leads");
        OptionalInt stored = OptionalInt.empty();
        try {
            while (stored.isEmpty() && System.nanoTime() - progressAt.get() < ELECTION.toNanos()) {
                SpawnerDiscovery.Discovered discovered = spawners.discover();
                Optional<Member> second = copies > 1 ? discovered.secondKeeper(Set.of()) : Optional.empty();
                boolean waits = copies > 1 && second.isEmpty() && waitsForSecond(start);
                if (discovered.leader().isPresent() && !waits) {
                    Optional<Future<Integer>> copy =
                            second.map(to -> calls.submit(() -> deliverCopy(to, sid, block, values, count)));
                    try {
                        stored = OptionalInt.of(spawners.client(
                                        discovered.leader().get().address())
                                .deliver(sid, block, values, count, false, () -> progressAt.set(System.nanoTime())));
                    } catch (RemoteFailureException e) {
                        throw e;
                    } catch (IOException e) {
                        last = e;
                    }
                    if (stored.isPresent() && copies > 1) {
                        storeSecondCopy(copy, second, sid, block, values, count);
                    }
                }
                if (stored.isEmpty()) {
                    Thread.sleep(PAUSE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            last = new IOException("interrupted", e);
        }
        if (stored.isPresent()) {
            return stored.getAsInt();
        }
        throw new StoreTimeoutException(
                "block %d of snapshot %d could not be stored at the leader: %s"
                        .formatted(block, sid, last.getMessage()),
                last);
    }

    /**
     * The leader has the part; sees to it that a second spawner has it too, as far as there is one that takes it. One whose disk is
     * full, or fails, is not asked again for this part.
     */
    private void storeSecondCopy(
            Optional<Future<Integer>> first, Optional<Member> keeper, long sid, int block, double[] values, int count)
            throws InterruptedException {
        Optional<Future<Integer>> copy = first;
        Optional<Member> asked = keeper;
        Set<WorkerId> unable = new HashSet<>();
        String reason = "no other spawner answers";
        long start = System.nanoTime();
        while (true) {
            if (copy.isPresent()) {
                try {
                    int ignored = copy.get().get();
                    return;
                } catch (ExecutionException e) {
                    Throwable cause = e.getCause() == null ? e : e.getCause();
                    reason = String.valueOf(cause.getMessage());
                    if (cause instanceof RemoteFailureException) {
                        asked.ifPresent(spawner -> unable.add(spawner.id()));
                    }
                }
            }
            if (!waitsForSecond(start)) {
                aloneUntil = System.nanoTime() + ALONE.toNanos();
                System.err.println(
                        "block %d of snapshot %d is stored at the leader only: %s".formatted(block, sid, reason));
                return;
            }
            Thread.sleep(PAUSE);
            asked = spawners.discover().secondKeeper(unable);
            copy = asked.map(to -> calls.submit(() -> deliverCopy(to, sid, block, values, count)));
        }
    }

    private boolean waitsForSecond(long start) {
        long now = System.nanoTime();
        return now - start < SECOND.toNanos() && (aloneUntil == Long.MIN_VALUE || now - aloneUntil >= 0);
    }

    private int deliverCopy(Member to, long sid, int block, double[] values, int count) throws IOException {
        return spawners.client(to.address()).deliver(sid, block, values, count, true, () -> {});
    }

    @Override
    public double[] read(long sid, int block, int count, int checksum) throws IOException {
        return search(sid, block, spawner -> spawner.readPart(sid, block, count, checksum));
    }

    /**
     * Copies a part into a repository of this machine, piece by piece.
     *
     * @throws IOException as {@link #read}, or if it cannot be stored here
     */
    void copy(long sid, int block, int count, int checksum, FilePartRepository to) throws IOException {
        int ignored = search(sid, block, spawner -> {
            try (PartWriter part = to.begin(sid, block, count)) {
                spawner.readPart(sid, block, part::write);
                if (part.checksum() != checksum) {
                    throw new IOException("%s sent a part with checksum %08x, must have %08x"
                            .formatted(spawner.address(), part.checksum(), checksum));
                }
                return part.complete();
            } catch (IllegalStateException damaged) {
                throw new IOException(spawner.address() + ": " + damaged.getMessage(), damaged);
            }
        });
    }

    private interface Reading<T> {
        T from(SpawnerClient spawner) throws IOException;
    }

    /** Asks one spawner after another, the leader first. */
    private <T> T search(long sid, int block, Reading<T> reading) throws IOException {
        long start = System.nanoTime();
        Map<String, String> asked = new LinkedHashMap<>();
        @Nullable IOException last = null;
        try {
            do {
                if (last != null) {
                    Thread.sleep(PAUSE);
                }
                SpawnerDiscovery.Discovered discovered = spawners.discover();
                List<Member> order = new ArrayList<>(discovered.answering());
                order.sort((a, b) -> Boolean.compare(discovered.leads(b), discovered.leads(a)));
                last = new IOException("no spawner answers");
                for (Member spawner : order) {
                    try {
                        return reading.from(spawners.client(spawner.address()));
                    } catch (IOException e) {
                        last = e;
                        asked.put(spawner.name(), String.valueOf(e.getMessage()));
                    }
                }
            } while (System.nanoTime() - start < patience.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            last = new IOException("interrupted", e);
        }
        throw new IOException(
                "block %d of snapshot %d is on no spawner within %d s; asked: %s; apply the job again, with"
                                .formatted(block, sid, patience.toSeconds(), asked.isEmpty() ? "none answers" : asked)
                        + " spec.checkpoint.volume it keeps committed steps",
                last);
    }
}

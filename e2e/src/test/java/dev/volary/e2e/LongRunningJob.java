// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A job that survives several losses, one after the other, and counts them. All tests of a class share one, because its start
 * takes longer than they do.
 */
final class LongRunningJob implements AutoCloseable {
    /** A disturbance of a job. */
    interface Disturbance {
        void apply() throws Exception;
    }

    /** A block that started before its backup was found adopts it within this time; from nothing it would take much longer. */
    private static final Duration LATE_BACKUP = Duration.ofSeconds(8);

    private final ClusterJob job;
    private final BlockObserver observer;
    private Losses expected = Losses.NONE;

    LongRunningJob(String name, int seconds) throws IOException, InterruptedException {
        this.job = new ClusterJob(name, Specs.lasting(seconds));
        this.observer = new BlockObserver(job);
    }

    ClusterJob job() {
        return job;
    }

    BlockObserver observer() {
        return observer;
    }

    /**
     * Waits until all blocks iterate and all workers are there; then the next loss may come.
     *
     * @return UIDs of its pods, by name
     */
    Map<String, String> ready() throws Exception {
        job.awaitWorkers(Specs.ALL_WORKERS);
        observer.awaitIterating(Set.of());
        return job.pods();
    }

    /** Daemons that compute. */
    List<String> computing() throws Exception {
        return observer.whole().pods();
    }

    /**
     * Disturbs pods that compute and checks that all blocks iterate again, in other processes, and from where they were: none is
     * behind the backups that all of its holders had.
     */
    void survives(Collection<String> victims, Disturbance disturbance) throws Exception {
        Map<Integer, Long> kept = kept();
        Set<Long> lost = observer.whole().workers(victims);
        assertEquals(victims.size(), lost.size(), "processes of " + victims);
        disturbance.apply();
        observer.awaitIterating(lost);
        long until = System.nanoTime() + LATE_BACKUP.toNanos();
        Optional<String> behind = behind(kept);
        while (behind.isPresent() && System.nanoTime() < until) {
            behind = behind(kept);
        }
        if (behind.isPresent()) {
            job.keepLogs(); // the workers in question may be gone at the end
            throw new AssertionError(behind.get());
        }
    }

    /** A block that is behind the iteration that it must have gone on from. */
    private Optional<String> behind(Map<Integer, Long> kept) throws Exception {
        return observer.whole().places().entrySet().stream()
                .filter(each -> each.getValue().iteration() < Objects.requireNonNull(kept.get(each.getKey())))
                .map(each -> "block " + each.getKey() + " is behind iteration " + kept.get(each.getKey()) + ": "
                        + each.getValue())
                .findFirst();
    }

    /**
     * Iterations that each of its holders keeps of a block: they take turns, so it is where the backup before the last was, if these
     * were its holders then. A new holder gets the latest one.
     */
    private Map<Integer, Long> kept() throws Exception {
        Map<Integer, Set<Long>> holders = new HashMap<>();
        Map<Integer, Deque<Long>> backups = new HashMap<>();
        job.until("backs up all its blocks with " + Specs.COPIES + " others", () -> {
            observer.whole().places().forEach((block, place) -> {
                Deque<Long> seen = backups.computeIfAbsent(block, b -> new ArrayDeque<>());
                Set<Long> now = Set.copyOf(place.holders());
                if (!now.equals(holders.put(block, now))) {
                    seen.clear();
                }
                if (now.size() < Specs.COPIES || place.backup() < 0) {
                    seen.clear();
                } else if (seen.isEmpty() || seen.getLast() < place.backup()) {
                    seen.addLast(place.backup());
                }
            });
            return backups.values().stream().allMatch(seen -> seen.size() >= Specs.COPIES);
        });
        Map<Integer, Long> kept = new HashMap<>();
        backups.forEach((block, seen) -> kept.put(block, seen.getFirst()));
        return kept;
    }

    /** Waits until the status counts this number of further disruptions, and nothing else. */
    void counts(int disruptions) throws IOException, InterruptedException {
        expected = expected.plusDisruptions(disruptions);
        job.awaitLosses(expected);
    }

    /**
     * Waits until the status counts this number of further deleted pods, and nothing else. Whether the operator counts such a pod
     * as deleted or as disrupted depends on when it looks: without grace the two moments are milliseconds apart.
     */
    void countsDeleted(int pods) throws IOException, InterruptedException {
        Losses before = expected;
        job.until("counts " + pods + " deleted pods beyond " + before, () -> {
            Losses now = job.losses();
            expected = now;
            if (now.taken() > before.taken() + pods
                    || now.failure() != before.failure()
                    || now.retriesUsed() != before.retriesUsed()) {
                throw job.miscount(now, pods + " taken beyond " + before);
            }
            return now.taken() == before.taken() + pods;
        });
    }

    /** The certified end, with nothing counted that was not done. */
    void ends(Path folder) throws Exception {
        job.awaitSuccess();
        Losses now = job.losses();
        if (!now.equals(expected)) {
            throw job.miscount(now, expected.toString());
        }
        Certificates.check(Fetched.of(job, folder));
    }

    @Override
    public void close() throws IOException {
        observer.close();
        job.close();
    }
}

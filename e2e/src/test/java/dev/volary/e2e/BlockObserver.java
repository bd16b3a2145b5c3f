// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Observes a job's blocks through all of its spawners that answer, also while the API server is down. */
final class BlockObserver implements AutoCloseable {
    private final ClusterJob job;
    private final Map<String, Spawner> spawners = new HashMap<>();
    private final Set<String> passedOver = new HashSet<>();

    BlockObserver(ClusterJob job) {
        this.job = job;
    }

    /** Stops asking these pods: their node is down, and each request would time out. */
    void passOver(Set<String> pods) {
        passedOver.addAll(pods);
        pods.forEach(this::forget);
    }

    /** Asks all pods again. */
    void passOverNone() {
        passedOver.clear();
    }

    /** What the spawners say now. */
    Blocks blocks() throws GeneralSecurityException, InterruptedException {
        meet();
        Map<String, StatusReply> replies = new HashMap<>();
        for (String pod : List.copyOf(spawners.keySet())) {
            Spawner spawner = spawners.get(pod);
            try {
                if (spawner != null) {
                    StatusReply reply = spawner.client().status(Long.MAX_VALUE);
                    assertFalse(reply.hasOutcome(), () -> job.name() + " is over too soon");
                    replies.put(pod, reply);
                }
            } catch (IOException away) {
                forget(pod);
            }
        }
        return Blocks.of(replies);
    }

    /** Those that compute; all blocks have a place. */
    Blocks whole() throws GeneralSecurityException, InterruptedException {
        Blocks[] whole = new Blocks[1];
        job.until("says where its blocks are", () -> {
            whole[0] = blocks();
            return whole[0].places().size() == Specs.BLOCKS;
        });
        return whole[0];
    }

    /** Waits until every block has iterated since this call, none of them by a worker that is lost. */
    void awaitIterating(Set<Long> lost) {
        Map<Integer, Blocks.Place> first = new HashMap<>();
        Set<Integer> iterating = new HashSet<>();
        job.until("iterates all its blocks", () -> {
            blocks().places().forEach((block, place) -> {
                Blocks.Place before = first.get(block);
                if (lost.contains(place.worker())) {
                    iterating.remove(block);
                } else if (before == null || before.worker() != place.worker()) {
                    first.put(block, place);
                    iterating.remove(block);
                } else if (place.iteration() > before.iteration()) {
                    iterating.add(block);
                }
            });
            return iterating.size() == Specs.BLOCKS;
        });
    }

    /** Waits until each of the job's spawners has the leader's plan: only then can another one succeed the leader at once. */
    void awaitInformed(int count) {
        job.until("has told its plan to " + count + " spawners", () -> {
            meet();
            int informed = 0;
            for (String pod : List.copyOf(spawners.keySet())) {
                informed += isInformed(pod) ? 1 : 0;
            }
            return informed == count;
        });
    }

    private boolean isInformed(String pod) {
        Spawner spawner = spawners.get(pod);
        try {
            return spawner != null && spawner.client().status(Long.MAX_VALUE).getPhase() == Phase.PHASE_RUNNING;
        } catch (IOException away) {
            forget(pod);
            return false;
        }
    }

    private void meet() throws GeneralSecurityException, InterruptedException {
        try {
            for (String pod : job.runningSpawners()) {
                if (!spawners.containsKey(pod) && !passedOver.contains(pod)) {
                    spawners.put(pod, Spawner.of(job, pod));
                }
            }
        } catch (IOException away) {
            assertTrue(!spawners.isEmpty(), away::toString);
        }
    }

    private void forget(String pod) {
        Spawner forgotten = spawners.remove(pod);
        if (forgotten != null) {
            forgotten.close();
        }
    }

    @Override
    public void close() {
        List.copyOf(spawners.keySet()).forEach(this::forget);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import dev.volary.mesh.v1.BlockStatus;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.WorkerStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The daemon and the iteration of each block, merged from the reports of a job's spawners.
 *
 * @param places of the blocks
 * @param workers pods of all workers, by identity of the process
 */
record Blocks(Map<Integer, Place> places, Map<Long, String> workers) {
    /**
     * @param worker identity of the process
     * @param pod its pod's name
     * @param backup iteration of the block's newest backup; -1 if there is none
     * @param holders others that keep it
     */
    record Place(long worker, String pod, long iteration, long backup, List<Long> holders) {}

    Blocks {
        places = Map.copyOf(places);
        workers = Map.copyOf(workers);
    }

    /**
     * Where two spawners name different workers, the one with the more recent message counts.
     *
     * @param replies of the spawners, by pod
     */
    static Blocks of(Map<String, StatusReply> replies) {
        Map<Integer, Place> places = new TreeMap<>();
        Map<Long, String> workers = new TreeMap<>();
        replies.forEach((pod, reply) -> {
            workers.put(reply.getSelf().getId(), pod);
            reply.getWorkersList()
                    .forEach(worker -> workers.put(worker.getMember().getId(), worker.getPod()));
        });
        Map<Integer, Long> silence = new TreeMap<>();
        for (StatusReply reply : replies.values()) {
            for (WorkerStatus worker : reply.getWorkersList()) {
                for (BlockStatus block : worker.getBlocksList()) {
                    long silent = worker.getSilentMillis() < 0 ? Long.MAX_VALUE : worker.getSilentMillis();
                    if (silent < silence.getOrDefault(block.getBlock(), Long.MAX_VALUE)) {
                        silence.put(block.getBlock(), silent);
                        places.put(
                                block.getBlock(),
                                new Place(
                                        worker.getMember().getId(),
                                        worker.getPod(),
                                        block.getIteration(),
                                        block.getBackupIteration(),
                                        block.getHoldersList()));
                    }
                }
            }
        }
        return new Blocks(places, workers);
    }

    /** Where a block is; all blocks have a place. */
    Place place(int block) {
        return Objects.requireNonNull(places.get(block), () -> "block " + block + " has no place in " + places);
    }

    /** Pods that compute, in order. */
    List<String> pods() {
        return places.values().stream().map(Place::pod).distinct().sorted().toList();
    }

    /** The processes in these pods. */
    Set<Long> workers(Collection<String> pods) {
        return places.values().stream()
                .filter(place -> pods.contains(place.pod()))
                .map(Place::worker)
                .collect(Collectors.toSet());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import dev.volary.mesh.v1.BlockStatus;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.WorkerStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The daemon and the iteration of each block, merged from the reports of a job's spawners.
 */
record Blocks(Map<Integer, Place> places) {
    /**
     * @param worker identity of the process
     * @param pod its pod's name
     * @param backup iteration of the block's newest backup; -1 if there is none
     * @param holders how many others keep it
     */
    record Place(long worker, String pod, long iteration, long backup, int holders) {}

    Blocks {
        places = Map.copyOf(places);
    }

    /** Where two spawners name different workers, the one with the more recent message counts. */
    static Blocks of(List<StatusReply> replies) {
        Map<Integer, Place> places = new TreeMap<>();
        Map<Integer, Long> silence = new TreeMap<>();
        for (StatusReply reply : replies) {
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
                                        block.getHoldersCount()));
                    }
                }
            }
        }
        return new Blocks(places);
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

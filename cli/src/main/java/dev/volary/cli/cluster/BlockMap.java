// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.mesh.v1.BlockStatus;
import dev.volary.mesh.v1.Incarnation;
import dev.volary.mesh.v1.Member;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.WorkerStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who serves which block and who keeps its copies, put together from what spawners say of their groups.
 *
 * @param lead pod of the lead, if one leads
 * @param term of the lead
 * @param blocks of the job; 0 before it is planned
 * @param scale by which residuals are divided; 0 if unknown
 * @param copies of each block that are in force, at least
 * @param workers in the order of their groups
 * @param served by block
 */
record BlockMap(
        Optional<String> lead,
        long term,
        int blocks,
        double scale,
        int copies,
        List<Worker> workers,
        SortedMap<Integer, Block> served) {

    /**
     * A daemon, as its spawner sees it.
     *
     * @param spawner pod that looks after it
     * @param blocks that it serves
     * @param silentMillis since it was last heard; -1 if it never was
     */
    record Worker(String pod, String spawner, String zone, boolean standby, List<Integer> blocks, long silentMillis) {}

    /**
     * A block.
     *
     * @param pod that serves it
     * @param incarnation {@code term.counter}; grows with each replacement
     * @param hint of the residual, absolute, from the daemon alone
     * @param backup iteration of the newest copy; -1 if unknown
     * @param holders pods that can hold its copies; a number in base 16 where no spawner that answered knows the pod
     */
    record Block(String pod, Incarnation incarnation, long iteration, double hint, long backup, List<String> holders) {
        private static final Comparator<Incarnation> AGE = Comparator.comparingLong(
                        (Incarnation i) -> i.getTerm().getN())
                .thenComparing(Incarnation::getCounter, Integer::compareUnsigned);

        boolean isNewerThan(Block other) {
            return AGE.compare(incarnation, other.incarnation) > 0;
        }

        String age() {
            return incarnation.getTerm().getN() + "." + incarnation.getCounter();
        }
    }

    BlockMap {
        workers = List.copyOf(workers);
    }

    /** @param replies of spawners, by pod */
    static BlockMap of(Map<String, StatusReply> replies) {
        Optional<Map.Entry<String, StatusReply>> lead = replies.entrySet().stream()
                .filter(e -> e.getValue().getLead() != 0
                        && e.getValue().getLead() == e.getValue().getSelf().getId())
                .max(Map.Entry.comparingByValue(Comparator.comparingLong(StatusReply::getTerm)));
        Map<Long, String> names = names(replies);
        List<Worker> workers = new ArrayList<>();
        SortedMap<Integer, Block> served = new TreeMap<>();
        replies.forEach((spawner, reply) -> {
            for (WorkerStatus worker : reply.getWorkersList()) {
                workers.add(new Worker(
                        worker.getPod(),
                        spawner,
                        worker.getMember().getZone(),
                        worker.getStandby(),
                        worker.getBlocksList().stream()
                                .map(BlockStatus::getBlock)
                                .sorted()
                                .toList(),
                        worker.getSilentMillis()));
                for (BlockStatus block : worker.getBlocksList()) {
                    served.merge(
                            block.getBlock(),
                            block(worker, block, names),
                            (one, other) -> other.isNewerThan(one) ? other : one);
                }
            }
        });
        return new BlockMap(
                lead.map(Map.Entry::getKey),
                replies.values().stream().mapToLong(StatusReply::getTerm).max().orElse(0),
                replies.values().stream().mapToInt(StatusReply::getBlocks).max().orElse(0),
                lead.map(e -> e.getValue().getScale()).orElse(0.0),
                replies.values().stream()
                        .mapToInt(StatusReply::getCopiesInForce)
                        .min()
                        .orElse(0),
                workers,
                served);
    }

    private static Block block(WorkerStatus worker, BlockStatus block, Map<Long, String> names) {
        return new Block(
                worker.getPod(),
                block.getIncarnation(),
                block.getIteration(),
                block.getHint(),
                block.getBackupIteration(),
                block.getHoldersList().stream()
                        .map(id -> names.getOrDefault(id, Long.toHexString(id)))
                        .toList());
    }

    private static Map<Long, String> names(Map<String, StatusReply> replies) {
        Map<Long, String> names = new HashMap<>();
        for (StatusReply reply : replies.values()) {
            for (Member spawner : reply.getSpawnersList()) {
                names.put(spawner.getId(), spawner.getName());
            }
            for (WorkerStatus worker : reply.getWorkersList()) {
                names.put(worker.getMember().getId(), worker.getPod());
            }
        }
        replies.forEach((pod, reply) -> names.put(reply.getSelf().getId(), pod));
        return names;
    }
}

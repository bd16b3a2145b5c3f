// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster.client;

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
 * Which daemon serves each block and which workers hold its backups, merged from the reports that the spawners give of their
 * groups.
 *
 * @param leader pod of the leader; empty if there is none
 * @param term term of the leader
 * @param blocks number of blocks of the job; 0 before it is planned
 * @param scale what relative residuals are relative to; 0 if unknown
 * @param copies backups that every block has at least
 * @param workers the daemons, in the order of their groups
 * @param served the blocks that have a daemon, by number
 */
public record BlockMap(
        Optional<String> leader,
        long term,
        int blocks,
        double scale,
        int copies,
        List<Worker> workers,
        SortedMap<Integer, Block> served) {

    /**
     * A daemon, as its spawner reports it.
     *
     * @param spawner pod of the spawner that manages it
     * @param blocks numbers of the blocks that it serves
     * @param silentMillis time since its last heartbeat; -1 before the first
     */
    public record Worker(
            String pod, String spawner, String zone, boolean standby, List<Integer> blocks, long silentMillis) {}

    /**
     * A block that has a daemon.
     *
     * @param pod pod of the daemon that serves it
     * @param incarnation grows with each new assignment
     * @param hint residual hint, absolute
     * @param backup iteration of the newest backup; -1 if unknown
     * @param holders pods that may hold its backups; a hexadecimal id if no spawner that answered knows the pod
     */
    public record Block(
            String pod, Incarnation incarnation, long iteration, double hint, long backup, List<String> holders) {
        private static final Comparator<Incarnation> ORDER = Comparator.comparingLong(
                        (Incarnation i) -> i.getTerm().getN())
                .thenComparing(Incarnation::getCounter, Integer::compareUnsigned);

        public boolean isNewerThan(Block other) {
            return ORDER.compare(incarnation, other.incarnation) > 0;
        }

        public String incarnationText() {
            return incarnation.getTerm().getN() + "." + incarnation.getCounter();
        }
    }

    public BlockMap {
        workers = List.copyOf(workers);
    }

    /**
     * Merges the status of all spawners.
     *
     * @param replies status of each spawner, by pod
     */
    public static BlockMap of(Map<String, StatusReply> replies) {
        Optional<Map.Entry<String, StatusReply>> leader = replies.entrySet().stream()
                .filter(e -> e.getValue().getLeader() != 0
                        && e.getValue().getLeader() == e.getValue().getSelf().getId())
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
                leader.map(Map.Entry::getKey),
                replies.values().stream().mapToLong(StatusReply::getTerm).max().orElse(0),
                replies.values().stream().mapToInt(StatusReply::getBlocks).max().orElse(0),
                leader.map(e -> e.getValue().getScale()).orElse(0.0),
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

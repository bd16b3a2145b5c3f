// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plan;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Subdomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The resources that a job will need.
 *
 * @param job name of the job
 * @param unknowns number of unknowns
 * @param daemons number of computing daemons
 * @param blocks one entry for each block
 * @param links one entry for each block and reader of its values
 * @param method how the blocks improve their values; empty if the problem has only one method
 * @param sweeps predicted iterations per block until the tolerance is reached, in one time step; empty if unknown
 */
public record JobPlan(
        String job,
        long unknowns,
        Optional<String> method,
        int daemons,
        List<BlockPlan> blocks,
        List<LinkPlan> links,
        OptionalDouble sweeps) {

    /**
     * With more predicted sweeps than this a plan warns (docs/explanation/asynchronous-iteration.md, "predicted iterations").
     */
    public static final double MANY_SWEEPS = 1e5;

    /** Size of the header of a halo frame. */
    static final int HEADER_BYTES = 64;

    public JobPlan {
        blocks = List.copyOf(blocks);
        links = List.copyOf(links);
    }

    /**
     * One block.
     *
     * @param id its number
     * @param daemon the daemon it is planned for, from zero
     * @param unknowns the size of its core
     * @param bytes heap for its state and data
     * @param work updates in one iteration
     * @param neighbors number of blocks it reads from
     * @param bytesIn halo bytes it receives when every neighbor iterates once
     * @param bytesOut halo bytes it sends in one iteration
     */
    public record BlockPlan(
            int id, int daemon, long unknowns, long bytes, double work, int neighbors, long bytesIn, long bytesOut) {}

    /**
     * One link.
     *
     * @param from the block that owns the values
     * @param to the block that reads them
     * @param bytes of a halo frame, header included
     */
    public record LinkPlan(int from, int to, long bytes) {}

    /** Plans a validated job: consecutive blocks share a daemon. */
    public static JobPlan of(ValidatedJob checked) {
        Decomposition decomposition = checked.decomposition();
        int daemons = Math.min(checked.spec().daemons().replicas(), decomposition.blocks());
        long[] in = new long[decomposition.blocks()];
        long[] out = new long[decomposition.blocks()];
        int[] neighbors = new int[decomposition.blocks()];
        List<LinkPlan> links = new ArrayList<>();
        for (Edge edge : decomposition.edges()) {
            long bytes = HEADER_BYTES + (long) Double.BYTES * edge.haloSize();
            links.add(new LinkPlan(edge.from(), edge.to(), bytes));
            in[edge.to()] += bytes;
            out[edge.from()] += bytes;
            neighbors[edge.to()]++;
        }
        List<BlockPlan> blocks = new ArrayList<>();
        for (Subdomain part : decomposition.parts()) {
            int id = part.id();
            int daemon = (int) ((long) id * daemons / decomposition.blocks());
            blocks.add(new BlockPlan(
                    id, daemon, part.core().size(), part.bytes(), part.work(), neighbors[id], in[id], out[id]));
        }
        return new JobPlan(
                checked.name(),
                decomposition.unknowns().size(),
                checked.method(),
                daemons,
                blocks,
                links,
                checked.predictedIterations());
    }

    /** The block that does the most work in an iteration. */
    public BlockPlan hardestBlock() {
        return Collections.max(blocks, Comparator.comparingDouble(BlockPlan::work));
    }

    /** Halo bytes sent when every block iterates once. */
    public long bytesPerIteration() {
        return links.stream().mapToLong(LinkPlan::bytes).sum();
    }

    /** Halo bytes per iteration that stay within a daemon and never reach a socket. */
    public long localBytesPerIteration() {
        return links.stream()
                .filter(l -> blocks.get(l.from()).daemon() == blocks.get(l.to()).daemon())
                .mapToLong(LinkPlan::bytes)
                .sum();
    }

    /** Heap for the blocks of each daemon, in bytes. */
    public long[] bytesOfDaemons() {
        long[] bytes = new long[daemons];
        blocks.forEach(block -> bytes[block.daemon()] += block.bytes());
        return bytes;
    }

    /**
     * The plan as a JSON tree.
     *
     * @param measured what was measured of a block
     */
    public Map<String, Object> json(Optional<Map<String, Object>> measured) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("job", job);
        json.put("unknowns", unknowns);
        json.put("method", method);
        json.put("daemons", daemons);
        json.put("predictedSweeps", sweeps.isPresent() ? sweeps.getAsDouble() : Optional.empty());
        json.put("haloBytesPerIteration", bytesPerIteration());
        json.put("haloBytesPerIterationWithinDaemons", localBytesPerIteration());
        json.put("daemonBytes", Arrays.stream(bytesOfDaemons()).boxed().toList());
        measured.ifPresent(found -> json.put("measured", found));
        json.put("blocks", blocks.stream().map(JobPlan::json).toList());
        json.put("links", links.stream().map(JobPlan::json).toList());
        return json;
    }

    private static Map<String, Object> json(BlockPlan block) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", block.id());
        json.put("daemon", block.daemon());
        json.put("unknowns", block.unknowns());
        json.put("bytes", block.bytes());
        json.put("work", block.work());
        json.put("neighbours", block.neighbors());
        json.put("haloBytesIn", block.bytesIn());
        json.put("haloBytesOut", block.bytesOut());
        return json;
    }

    private static Map<String, Object> json(LinkPlan link) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("from", link.from());
        json.put("to", link.to());
        json.put("bytes", link.bytes());
        return json;
    }
}

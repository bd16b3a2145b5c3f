// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plan;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Preflight;
import dev.volary.solver.Subdomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a job will need.
 *
 * @param job the job's name
 * @param unknowns number of unknowns
 * @param daemons daemons that compute
 * @param blocks one entry for each block
 * @param links one entry for each pair of a block and a reader
 * @param sweeps iterations predicted until the tolerance is reached, if the pre-flight certifies any
 */
public record JobPlan(
        String job, long unknowns, int daemons, List<BlockPlan> blocks, List<LinkPlan> links, OptionalDouble sweeps) {

    /** Beyond so many sweeps a plan warns (docs/explanation/asynchronous-iteration.md, "predicted iterations"). */
    public static final double MANY_SWEEPS = 1e5;

    /** A halo frame's header on the wire. */
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
     * @param neighbours blocks it reads from
     * @param bytesIn halo bytes that arrive for one iteration of every neighbour
     * @param bytesOut halo bytes it sends in one iteration
     */
    public record BlockPlan(
            int id, int daemon, long unknowns, long bytes, double work, int neighbours, long bytesIn, long bytesOut) {}

    /**
     * One link.
     *
     * @param from the block that owns the values
     * @param to the block that reads them
     * @param bytes of a halo frame, header included
     */
    public record LinkPlan(int from, int to, long bytes) {}

    /** Plans a checked job: consecutive blocks share a daemon. */
    public static JobPlan of(ValidatedJob checked) {
        Decomposition decomposition = checked.decomposition();
        int daemons = Math.min(checked.spec().daemons().replicas(), decomposition.blocks());
        long[] in = new long[decomposition.blocks()];
        long[] out = new long[decomposition.blocks()];
        int[] neighbours = new int[decomposition.blocks()];
        List<LinkPlan> links = new ArrayList<>();
        for (Edge edge : decomposition.edges()) {
            long bytes = HEADER_BYTES + (long) Double.BYTES * edge.values().size();
            links.add(new LinkPlan(edge.from(), edge.to(), bytes));
            in[edge.to()] += bytes;
            out[edge.from()] += bytes;
            neighbours[edge.to()]++;
        }
        List<BlockPlan> blocks = new ArrayList<>();
        for (Subdomain part : decomposition.parts()) {
            int id = part.id();
            int daemon = (int) ((long) id * daemons / decomposition.blocks());
            blocks.add(new BlockPlan(
                    id, daemon, part.core().size(), part.bytes(), part.work(), neighbours[id], in[id], out[id]));
        }
        return new JobPlan(checked.name(), decomposition.unknowns().size(), daemons, blocks, links, sweeps(checked));
    }

    /** Halo bytes sent when every block iterates once. */
    public long bytesPerIteration() {
        return links.stream().mapToLong(LinkPlan::bytes).sum();
    }

    /** Halo bytes per iteration that stay within one daemon and never reach a socket. */
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

    /** The plan as a JSON tree. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("job", job);
        json.put("unknowns", unknowns);
        json.put("daemons", daemons);
        json.put("predictedSweeps", sweeps.isPresent() ? sweeps.getAsDouble() : Optional.empty());
        json.put("haloBytesPerIteration", bytesPerIteration());
        json.put("haloBytesPerIterationWithinDaemons", localBytesPerIteration());
        json.put("daemonBytes", Arrays.stream(bytesOfDaemons()).boxed().toList());
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
        json.put("neighbours", block.neighbours());
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

    private static OptionalDouble sweeps(ValidatedJob checked) {
        return checked.preflight()
                .filter(p -> p.verdict() == Preflight.Verdict.CERTIFIED)
                .map(p -> OptionalDouble.of(
                        p.predictedIterations(checked.tolerance().relative())))
                .orElse(OptionalDouble.empty());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import dev.volary.protocol.model.Incarnation;
import dev.volary.solver.Block;
import dev.volary.solver.Subdomain;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a runner needs of its block.
 *
 * @param part the block's share
 * @param incarnation the assignment it serves
 * @param block opened, with its initial guess
 * @param sliceWorkers runs the iteration on several threads, if there are several
 * @param outgoingEdges its outgoing edges
 * @param completed iterations it has behind it: those of its backup
 * @param leastIteration least duration of an iteration; zero unless an experiment wants the block slow
 */
record RunnerConfig(
        Subdomain part,
        Incarnation incarnation,
        Block block,
        Optional<SliceWorkers> sliceWorkers,
        List<OutgoingEdge> outgoingEdges,
        long completed,
        Duration leastIteration) {}

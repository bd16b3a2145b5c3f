// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.util.ArrayList;
import java.util.List;

/** Workers, block graphs and plans for tests, and what a turn sends. */
public final class Samples {
    private Samples() {}

    /** A spawner with this id. */
    public static Member spawner(long id) {
        return member(WorkerRole.SPAWNER, id, 0);
    }

    /** A daemon with this id and 100 bytes for blocks. */
    public static Member daemon(long id) {
        return member(WorkerRole.DAEMON, id, 100);
    }

    /** A daemon with this id and memory. */
    public static Member daemon(long id, long memoryBytes) {
        return member(WorkerRole.DAEMON, id, memoryBytes);
    }

    private static Member member(WorkerRole role, long id, long memoryBytes) {
        return new Member(
                new WorkerId(id), role, "w-" + id, new Address("virtual", (int) id), "virtual", "", 1, memoryBytes);
    }

    /** Blocks in a chain, each of 10 bytes and the same work; neighbors read each other. */
    public static JobGraph chain(int blocks) {
        return chain(blocks, 0);
    }

    /** The same chain, in so many time steps. */
    public static JobGraph chain(int blocks, int steps) {
        List<JobGraph.BlockShape> shapes = new ArrayList<>();
        for (int b = 0; b < blocks; b++) {
            List<Integer> neighbors = new ArrayList<>();
            if (b > 0) {
                neighbors.add(b - 1);
            }
            if (b < blocks - 1) {
                neighbors.add(b + 1);
            }
            shapes.add(new JobGraph.BlockShape(neighbors, neighbors, 10, 1));
        }
        return new JobGraph(shapes, steps);
    }

    /** The incarnation with this counter in term 1 of this spawner's group. */
    public static Incarnation incarnation(long spawner, int counter) {
        return new Incarnation(new GroupTerm(1, new WorkerId(spawner)), counter);
    }

    /** The daemon serves the block. */
    public static BlockAssignment serves(Member daemon, int block, Incarnation incarnation) {
        return new BlockAssignment(block, incarnation, daemon);
    }

    /** A group in its first term. */
    public static TakeoverMessage.GroupPlan group(Member spawner, int daemons, Integer... blocks) {
        return new TakeoverMessage.GroupPlan(new GroupTerm(1, spawner.id()), spawner, List.of(blocks), daemons);
    }

    /** All sends of a turn, in order. */
    public static List<WorkerAction.Send> sends(Turn turn) {
        return turn.actions().stream()
                .filter(WorkerAction.Send.class::isInstance)
                .map(WorkerAction.Send.class::cast)
                .toList();
    }

    /** All messages that a turn sends, in order. */
    public static List<Message> messages(Turn turn) {
        return sends(turn).stream().map(WorkerAction.Send::message).toList();
    }

    /** The messages that a turn sends to one worker, in order. */
    public static List<Message> messagesTo(WorkerId to, Turn turn) {
        return sends(turn).stream()
                .filter(send -> send.to().equals(to))
                .map(WorkerAction.Send::message)
                .toList();
    }

    /** All receivers of a turn's messages, in order. */
    public static List<WorkerId> receivers(Turn turn) {
        return sends(turn).stream().map(WorkerAction.Send::to).toList();
    }
}

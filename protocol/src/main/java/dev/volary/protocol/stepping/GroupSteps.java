// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A group's part of a commit: sends it to its daemons until each of its blocks reports that it is in the next step. A block
 * that changes hands is reported again: what it was restored from may be of any earlier step.
 */
public final class GroupSteps {
    private final JobGraph graph;
    private final BlockDirectory directory;
    private final long retry;
    private final double smallHint;
    private final List<Integer> blocks;
    private final Map<Integer, ProgressMessage.BlockProgress> reports = new HashMap<>();
    private Optional<CommittedStep> newest = Optional.empty();
    private boolean wasRipe;
    private long repeatAt;

    /**
     * @param directory who serves the blocks
     * @param smallHint hints of blocks that may be worth a snapshot, absolute
     * @param blocks the group's
     */
    public GroupSteps(
            JobGraph graph, BlockDirectory directory, Duration retry, double smallHint, List<Integer> blocks) {
        this.graph = graph;
        this.directory = directory;
        this.retry = retry.toNanos();
        this.smallHint = smallHint;
        this.blocks = List.copyOf(blocks);
    }

    /** A step is committed, with the parts of the group's blocks and their sources. */
    public void commit(CommittedStep record, SpawnerTurn turn) {
        if (newest.isEmpty() || CommittedStep.ORDER.compare(record, newest.get()) > 0) {
            newest = Optional.of(record);
            wasRipe = false;
            repeatAt = turn.now();
            tick(turn);
        }
    }

    /** Some blocks have other daemons now. */
    public void replaced(Collection<Integer> replaced, SpawnerTurn turn) {
        replaced.forEach(reports::remove);
        repeatAt = turn.now();
        tick(turn);
    }

    /**
     * A daemon reports.
     *
     * @return whether no block has much left to do any more: worth a report to the leader at once, who opens a snapshot
     */
    public boolean progress(ProgressMessage.DaemonReport report) {
        for (ProgressMessage.BlockProgress block : report.blocks()) {
            if (serves(block)) {
                reports.put(block.block(), block);
            }
        }
        boolean isRipe = blocks.stream().allMatch(this::isRipe);
        boolean isNews = isRipe && !wasRipe;
        wasRipe = isRipe;
        return isNews;
    }

    /** Repeats the commit to daemons with blocks in an earlier step. */
    public void tick(SpawnerTurn turn) {
        if (newest.isEmpty()) {
            return;
        }
        TreeMap<WorkerId, TreeSet<Integer>> behind = new TreeMap<>();
        for (int block : blocks) {
            if (stepOf(block) <= newest.get().step()) {
                directory
                        .daemonOf(block)
                        .ifPresent(daemon -> behind.computeIfAbsent(daemon, id -> new TreeSet<>())
                                .add(block));
            }
        }
        if (behind.isEmpty()) {
            return;
        }
        if (turn.now() >= repeatAt) {
            repeatAt = turn.now() + retry;
            behind.forEach((daemon, theirs) ->
                    turn.send(daemon, new StepMessage.StepCommit(newest.get().of(graph.withSources(theirs)))));
        }
        turn.wakeAt(repeatAt);
    }

    /** Entries held. */
    public int entries() {
        return reports.size() + newest.map(record -> record.parts().size()).orElse(0);
    }

    private int stepOf(int block) {
        ProgressMessage.BlockProgress report = reports.get(block);
        return report == null ? 0 : report.step();
    }

    private boolean isRipe(int block) {
        ProgressMessage.BlockProgress report = reports.get(block);
        int step = graph.hasTimeSteps() ? newest.map(CommittedStep::step).orElse(0) + 1 : 0;
        return report != null && report.step() == step && report.hint() <= smallHint;
    }

    private boolean serves(ProgressMessage.BlockProgress block) {
        return directory
                .find(block.block())
                .map(BlockAssignment::incarnation)
                .filter(block.incarnation()::equals)
                .isPresent();
    }
}

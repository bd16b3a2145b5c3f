// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.leader;

import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The newest progress of each group, as the leader sees it. A daemon that left a group disappears with the group's next report.
 * A report costs time proportional to its group, a query time proportional to the number of groups; only while two groups
 * report the same block, a query looks at all blocks.
 */
public final class JobProgress {
    private final TreeMap<WorkerId, Group> groups = new TreeMap<>();
    /** How many groups report each block. */
    private final Map<Integer, Integer> reportingGroups = new HashMap<>();

    private int reportedTwice;

    /** One group's last report. */
    private record Group(List<ProgressMessage.DaemonReport> reports, Collection<BlockProgress> newest, Sum sum) {
        static Group of(List<ProgressMessage.DaemonReport> reports) {
            Collection<BlockProgress> newest = ProgressTable.newest(reports);
            return new Group(reports, newest, Sum.of(newest));
        }
    }

    /**
     * What some blocks have come to.
     *
     * @param leastStep of all; the largest integer if there are none
     * @param largestStep of all; the smallest integer if there are none
     * @param iterating blocks that have completed an iteration
     */
    private record Sum(double largestHint, int leastStep, int largestStep, int iterating) {
        static final Sum NONE = new Sum(0, Integer.MAX_VALUE, Integer.MIN_VALUE, 0);

        static Sum of(Collection<BlockProgress> blocks) {
            Sum sum = NONE;
            for (BlockProgress block : blocks) {
                sum = sum.plus(new Sum(block.hint(), block.step(), block.step(), block.iteration() > 0 ? 1 : 0));
            }
            return sum;
        }

        Sum plus(Sum other) {
            return new Sum(
                    Math.max(largestHint, other.largestHint),
                    Math.min(leastStep, other.leastStep),
                    Math.max(largestStep, other.largestStep),
                    iterating + other.iterating);
        }
    }

    void update(WorkerId owner, List<ProgressMessage.DaemonReport> reports) {
        Group now = Group.of(reports);
        count(groups.put(owner, now), -1);
        count(now, 1);
    }

    /** A group's owner is dead. */
    void lost(WorkerId owner) {
        count(groups.remove(owner), -1);
    }

    private void count(@Nullable Group group, int change) {
        if (group != null) {
            group.newest().forEach(block -> {
                int before = reportingGroups.getOrDefault(block.block(), 0);
                int after = before + change;
                reportedTwice += (after > 1 ? 1 : 0) - (before > 1 ? 1 : 0);
                if (after == 0) {
                    reportingGroups.remove(block.block());
                } else {
                    reportingGroups.put(block.block(), after);
                }
            });
        }
    }

    List<ProgressMessage.DaemonReport> all() {
        return groups.values().stream()
                .flatMap(group -> group.reports().stream())
                .toList();
    }

    /** What all blocks have come to; of a block that two groups report, its newest incarnation. */
    private Sum sum() {
        return reportedTwice > 0
                ? Sum.of(ProgressTable.newest(all()))
                : groups.values().stream().map(Group::sum).reduce(Sum.NONE, Sum::plus);
    }

    /** The largest hint of all {@code blocks}; infinite while one is unknown, has not iterated or is in another step. */
    double largestHint(int blocks, int step) {
        Sum sum = sum();
        boolean isWhole = reportingGroups.size() >= blocks && sum.leastStep() == step && sum.largestStep() == step;
        return isWhole ? sum.largestHint() : Double.POSITIVE_INFINITY;
    }

    /** The step that all of a group's blocks have reached; 0 if it has none. */
    int step(WorkerId owner) {
        Group group = groups.get(owner);
        return group == null || group.newest().isEmpty() ? 0 : group.sum().leastStep();
    }

    /** Whether all {@code blocks} have completed an iteration. */
    boolean allIterate(int blocks) {
        return sum().iterating() >= blocks;
    }

    int entries() {
        return groups.values().stream()
                .flatMap(group -> group.reports().stream())
                .mapToInt(r -> 1 + r.blocks().size())
                .sum();
    }
}

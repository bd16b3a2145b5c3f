// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.function.Predicate;

/**
 * How long blocks stand still when they lose their daemons. Another spawner may take over a block that has no daemon in its
 * own group: then that spawner counts, from the takeover on, because it does not know since when. Safe for use by several threads.
 */
public final class RecoveryTimer {
    /** Blocks without a daemon are taken and given to one in the same step; later it is for another reason. */
    private static final long SAME_STEP = TimeUnit.SECONDS.toNanos(1);

    /**
     * A block that stands still.
     *
     * @param isSuccessor whether a daemon is one that can have recovered it
     */
    private record Lost(Predicate<WorkerId> isSuccessor, long since) {}

    private final DoubleConsumer recovered;
    private final Map<Integer, Lost> blocks = new HashMap<>();
    private List<Integer> taken = List.of();
    private long takenAt;

    /** @param recovered receives the recovery time of each block that iterates again, in seconds */
    public RecoveryTimer(DoubleConsumer recovered) {
        this.recovered = recovered;
    }

    /** A daemon is lost: its blocks have stood still since its last message. */
    public synchronized void daemonLost(JobEvent.DaemonLost lost, long now) {
        lost.blocks()
                .forEach(block ->
                        blocks.put(block, new Lost(by -> !by.equals(lost.daemon()), now - lost.silentNanos())));
    }

    /** This spawner took over blocks of another one; most often they iterate all the time. */
    public synchronized void groupTakenOver(JobEvent.GroupTakenOver over, long now) {
        taken = over.blocks();
        takenAt = now;
    }

    /** Blocks were reassigned to another daemon. */
    public synchronized void blocksReassigned(JobEvent.BlocksReassigned given, long now) {
        if (now - takenAt < SAME_STEP) {
            given.blocks().stream()
                    .filter(taken::contains)
                    .forEach(block -> blocks.putIfAbsent(block, new Lost(given.daemon()::equals, takenAt)));
        }
    }

    /** Whether any lost block does not iterate yet. */
    public synchronized boolean isRunning() {
        return !blocks.isEmpty();
    }

    /**
     * Looks which lost blocks iterate by now.
     *
     * @param own blocks of this spawner's group; the spawner that took over another block counts that one
     */
    public synchronized void update(Collection<Integer> own, List<DaemonReport> progress, long now) {
        blocks.keySet().retainAll(own);
        for (DaemonReport report : progress) {
            for (BlockProgress block : report.blocks()) {
                Lost lost = blocks.get(block.block());
                if (lost != null && lost.isSuccessor.test(report.daemon()) && block.iterates()) {
                    blocks.remove(block.block());
                    recovered.accept((now - lost.since) / 1e9);
                }
            }
        }
    }
}

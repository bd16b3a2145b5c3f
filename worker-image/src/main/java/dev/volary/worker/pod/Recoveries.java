package dev.volary.worker.pod;

import dev.volary.protocol.JobEvent;
import dev.volary.protocol.Message.BlockProgress;
import dev.volary.protocol.Message.DaemonReport;
import dev.volary.protocol.NodeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;

/** How long blocks stand still when they lose their daemons. Safe for use by several threads. */
public final class Recoveries {
    private record Lost(NodeId daemon, long since) {}

    private final DoubleConsumer recovered;
    private final Map<Integer, Lost> blocks = new HashMap<>();

    /** @param recovered told of each block that iterates again, in seconds */
    public Recoveries(DoubleConsumer recovered) {
        this.recovered = recovered;
    }

    /** A daemon is gone: its blocks have stood still since it was last heard. */
    public synchronized void lost(JobEvent.DaemonLost lost, long now) {
        lost.blocks().forEach(block -> blocks.put(block, new Lost(lost.daemon(), now - lost.silentNanos())));
    }

    /** Whether any block is waited for. */
    public synchronized boolean any() {
        return !blocks.isEmpty();
    }

    /** Looks who iterates by now. */
    public synchronized void look(List<DaemonReport> progress, long now) {
        for (DaemonReport report : progress) {
            for (BlockProgress block : report.blocks()) {
                Lost lost = blocks.get(block.block());
                if (lost != null && !report.daemon().equals(lost.daemon) && block.iteration() > 0) {
                    blocks.remove(block.block());
                    recovered.accept((now - lost.since) / 1e9);
                }
            }
        }
    }
}

package dev.volary.protocol.step;

import dev.volary.protocol.Actions;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.RegisterEntry;
import dev.volary.protocol.formation.Register;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A group's part of a commit: tells its daemons until each of its blocks says that it is in the next step. A block that changes
 * hands is told again: what it was restored from may be of any earlier step.
 */
public final class StepGroup {
    private final JobShape shape;
    private final Register register;
    private final long retry;
    private final double calm;
    private final List<Integer> blocks;
    private final Map<Integer, Message.BlockProgress> reports = new HashMap<>();
    private Optional<StepRecord> newest = Optional.empty();
    private boolean told;
    private long repeatAt;

    /**
     * @param register who serves the blocks
     * @param calm hints of blocks that may be worth a snapshot, absolute
     * @param blocks the group's
     */
    public StepGroup(JobShape shape, Register register, Duration retry, double calm, List<Integer> blocks) {
        this.shape = shape;
        this.register = register;
        this.retry = retry.toNanos();
        this.calm = calm;
        this.blocks = List.copyOf(blocks);
    }

    /** A step is committed, with the parts of the group's blocks and their sources. */
    public void commit(StepRecord record, Actions out, long now) {
        if (newest.isEmpty() || StepRecord.ORDER.compare(record, newest.get()) > 0) {
            newest = Optional.of(record);
            told = false;
            repeatAt = now;
            tick(out, now);
        }
    }

    /** Some blocks have other daemons now. */
    public void replaced(Collection<Integer> replaced, Actions out, long now) {
        replaced.forEach(reports::remove);
        repeatAt = now;
        tick(out, now);
    }

    /**
     * A daemon reports.
     *
     * @return whether this is the first time in this step that no block has much left to do: worth telling the lead at once
     */
    public boolean progress(Message.DaemonReport report) {
        for (Message.BlockProgress block : report.blocks()) {
            if (serves(block)) {
                reports.put(block.block(), block);
            }
        }
        boolean ripe = shape.marches() && !told && blocks.stream().allMatch(this::ripe);
        told |= ripe;
        return ripe;
    }

    /** Tells those that are behind, again and again. */
    public void tick(Actions out, long now) {
        if (newest.isEmpty()) {
            return;
        }
        TreeMap<NodeId, TreeSet<Integer>> behind = new TreeMap<>();
        for (int block : blocks) {
            if (stepOf(block) <= newest.get().step()) {
                register.daemonOf(block)
                        .ifPresent(daemon -> behind.computeIfAbsent(daemon, id -> new TreeSet<>())
                                .add(block));
            }
        }
        if (behind.isEmpty()) {
            return;
        }
        if (now >= repeatAt) {
            repeatAt = now + retry;
            behind.forEach((daemon, theirs) ->
                    out.send(daemon, new Message.StepCommit(newest.get().of(shape.withSources(theirs)))));
        }
        out.wakeAt(repeatAt);
    }

    /** Entries held. */
    public int entries() {
        return reports.size() + newest.map(record -> record.parts().size()).orElse(0);
    }

    private int stepOf(int block) {
        Message.BlockProgress report = reports.get(block);
        return report == null ? 0 : report.step();
    }

    private boolean ripe(int block) {
        Message.BlockProgress report = reports.get(block);
        int step = newest.map(StepRecord::step).orElse(0) + 1;
        return report != null && report.step() == step && report.hint() <= calm;
    }

    private boolean serves(Message.BlockProgress block) {
        return register.find(block.block())
                .map(RegisterEntry::incarnation)
                .filter(block.incarnation()::equals)
                .isPresent();
    }
}

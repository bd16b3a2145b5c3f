// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.stepping;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The time steps that a daemon's blocks are in. A block that is not beyond the newest committed step takes the commit, whatever
 * it has iterated: right after the verdict, or when it is opened again from an older state. Only recorded values are
 * committed.
 */
public final class DaemonSteps {
    /** How often the values of a commit may be missing, once in a retry period, before the job ends. */
    private static final int MOST_ATTEMPTS = 20;

    private static final class Own {
        private final Incarnation incarnation;
        private int step;
        private int committing;
        private int attempts;

        private Own(Incarnation incarnation, int step) {
            this.incarnation = incarnation;
            this.step = step;
        }
    }

    private final JobGraph graph;
    private final TreeMap<Integer, Own> blocks = new TreeMap<>();
    private Optional<CommittedStep> newest = Optional.empty();
    private Optional<WorkerId> reported = Optional.empty();

    public DaemonSteps(JobGraph graph) {
        this.graph = graph;
    }

    /** A block is open, in this step. */
    public void opened(int block, Incarnation incarnation, int step, DaemonTurn turn) {
        blocks.put(block, new Own(incarnation, step));
        commit(block, turn);
    }

    /** A block is no longer served here. */
    public void dropped(int block) {
        blocks.remove(block);
    }

    /** A step is committed: again, if blocks here are behind. Returns whether that is news. */
    public boolean committed(CommittedStep record, DaemonTurn turn) {
        boolean news = newest.map(CommittedStep::step).orElse(0) < record.step();
        if (news) {
            newest = Optional.of(record);
        } else if (newest.filter(record::sameVector).isPresent()) {
            newest = newest.map(record::and);
        }
        blocks.keySet().forEach(block -> commit(block, turn));
        return news;
    }

    /** A block is in this step now; returns whether it is served here. */
    public boolean taken(DaemonEvent.StepCommitted event, DaemonTurn turn) {
        Own own = blocks.get(event.block());
        if (own == null || !own.incarnation.equals(event.incarnation())) {
            return false;
        }
        own.step = event.step();
        own.attempts = 0;
        commit(event.block(), turn);
        return true;
    }

    /**
     * The values could not be had: tried again when the commit is repeated. Returns why the job cannot go on, if so: not before
     * the search for the block's backup has ended.
     */
    public Optional<String> lost(DaemonEvent.StepCommitFailed event) {
        Own own = blocks.get(event.block());
        if (own == null || !own.incarnation.equals(event.incarnation()) || own.committing != event.step()) {
            return Optional.empty();
        }
        own.committing = 0;
        own.attempts += event.isSearched() ? 0 : 1;
        return own.attempts < MOST_ATTEMPTS
                ? Optional.empty()
                : Optional.of("StateLost: block " + event.block() + " needs the result of step " + event.step()
                        + ", and it is neither in a backup nor in the result sink: " + event.reason()
                        + "; run the job again, with copies or a sink that keeps what it was given");
    }

    /**
     * Reports to a new spawner what was committed: its leader may be a new one too, without another source.
     *
     * @param stored what this daemon has in the sink of a snapshot whose end it does not know
     */
    public void reportTo(Optional<WorkerId> spawner, Optional<CommittedStep> stored, DaemonTurn turn) {
        boolean something = graph.hasTimeSteps() && (newest.isPresent() || stored.isPresent());
        if (!reported.equals(spawner) && something) {
            reported = spawner;
            spawner.ifPresent(to -> turn.send(to, new StepMessage.KnownSteps(newest, stored)));
        }
    }

    /** Entries held. */
    public int entries() {
        return blocks.size() + newest.map(record -> record.parts().size()).orElse(0);
    }

    private void commit(int block, DaemonTurn turn) {
        Own own = blocks.get(block);
        if (own == null || newest.isEmpty()) {
            return;
        }
        CommittedStep record = newest.get();
        List<Integer> needed = List.copyOf(graph.withSources(List.of(block)));
        boolean there = needed.stream().allMatch(part -> record.part(part).isPresent());
        if (there && own.step <= record.step() && own.committing < record.step()) {
            own.committing = record.step();
            turn.add(new DaemonAction.CommitStep(block, own.incarnation, record.of(needed)));
        }
    }
}

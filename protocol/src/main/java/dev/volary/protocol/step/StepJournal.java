package dev.volary.protocol.step;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A spawner's copy of the newest {@link StepRecord}, and, while it leads, the log over all copies: a record counts once every
 * spawner that lives has it (write all), and a new lead first hears what every one of them has. From then on they take nothing
 * from leads of earlier terms. A lead that takes another spawner for gone needs another term of the arbiter before anything
 * counts again, so two leads cannot both believe that they have all copies.
 */
public final class StepJournal implements StepLog {
    private final long retry;
    private final Set<NodeId> others = new TreeSet<>();
    private final Set<NodeId> answered = new TreeSet<>();
    private final Set<NodeId> written = new TreeSet<>();
    private Optional<StepRecord> newest = Optional.empty();
    private long term;
    private boolean leads;
    private long repeatAt = Long.MAX_VALUE;

    /** Of a spawner that has heard nothing; unanswered requests are repeated after {@code retry}. */
    public StepJournal(Duration retry) {
        this.retry = retry.toNanos();
    }

    /** There is a new term; whether this spawner leads it. */
    public void elected(long newTerm, boolean lead, long now) {
        term = Math.max(term, newTerm);
        leads = lead;
        answered.clear();
        written.clear();
        repeatAt = lead ? now : Long.MAX_VALUE;
    }

    /** A spawner is taken for gone: nothing counts before the arbiter has granted another term. */
    public void lost() {
        leads = false;
    }

    /** A lead asks for the newest record, and for the promise to take nothing from earlier terms. */
    public void asked(NodeId lead, Message.StepsWanted wanted, Actions out) {
        if (wanted.term() >= term) {
            term = wanted.term();
            out.send(lead, new Message.StepsKnown(term, newest));
        }
    }

    /** A spawner answers, or a daemon tells its new spawner what it was told to commit: parts of one vector add up. */
    public void known(NodeId from, Message.StepsKnown known) {
        known.newest().ifPresent(this::merge);
        if (leads && known.term() == term) {
            answered.add(from);
        }
    }

    /** A lead writes. */
    public void written(NodeId lead, Message.StepWritten message, Actions out) {
        if (message.term() >= term) {
            term = message.term();
            merge(message.record());
            out.send(
                    lead,
                    new Message.StepHeard(
                            term, message.record().step(), message.record().sid()));
        }
    }

    /** A spawner has a record. */
    public void heard(NodeId from, Message.StepHeard heard) {
        boolean current = newest.filter(r -> r.step() == heard.step() && r.sid() == heard.sid())
                .isPresent();
        if (leads && heard.term() == term && current) {
            written.add(from);
        }
    }

    /**
     * Repeats what is not answered.
     *
     * @param spawners that live, without this one
     */
    public void tick(Collection<NodeId> spawners, Actions out, long now) {
        others.clear();
        others.addAll(spawners);
        if (!leads) {
            return;
        }
        List<NodeId> silent = new ArrayList<>(others);
        silent.removeAll(isRead() && newest.isPresent() ? written : answered);
        if (silent.isEmpty()) {
            return;
        }
        if (now >= repeatAt) {
            repeatAt = now + retry;
            for (NodeId spawner : silent) {
                out.send(
                        spawner,
                        isRead() && newest.isPresent()
                                ? new Message.StepWritten(term, newest.get())
                                : new Message.StepsWanted(term));
            }
        }
        out.wakeAt(repeatAt);
    }

    @Override
    public boolean isRead() {
        return leads && answered.containsAll(others);
    }

    @Override
    public Optional<StepRecord> newest() {
        return newest;
    }

    @Override
    public void write(StepRecord record, Actions out, long now) {
        newest = Optional.of(record);
        written.clear();
        repeatAt = now;
        tick(List.copyOf(others), out, now);
    }

    @Override
    public boolean counts(StepRecord record) {
        return isRead() && newest.filter(record::sameVector).isPresent() && written.containsAll(others);
    }

    /** Entries held. */
    public int entries() {
        return newest.map(record -> record.parts().size()).orElse(0) + others.size() + answered.size() + written.size();
    }

    private void merge(StepRecord record) {
        if (newest.isEmpty() || StepRecord.ORDER.compare(record, newest.get()) > 0) {
            newest = Optional.of(record);
            written.clear();
        } else if (newest.get().sameVector(record)) {
            newest = Optional.of(newest.get().and(record));
        }
    }
}

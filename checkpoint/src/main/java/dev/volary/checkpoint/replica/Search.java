package dev.volary.checkpoint.replica;

import dev.volary.checkpoint.Checkpoint;
import dev.volary.checkpoint.StoreSettings;
import dev.volary.protocol.HaloKey;
import dev.volary.protocol.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest sound copy: looks at all members for what they have, then fetches from the newest on, passing over what is
 * damaged or gone. Runs on the given thread.
 */
final class Search {
    private record Found(NodeId member, HaloKey version) {}

    /**
     * What came of it.
     *
     * @param complete whether all members have answered, and all that was found could be had: if there is no copy, there is none
     */
    record Outcome(Optional<Checkpoint> copy, boolean complete) {}

    /** The part of its patience that is left for further members when there are as many copies as a block has slots. */
    private static final int HASTE = 10;

    private final Peers peers;
    private final CopyKey key;
    private final StoreSettings settings;
    private final ScheduledExecutorService thread;
    private final CompletableFuture<Outcome> result = new CompletableFuture<>();
    private final List<Found> found = new ArrayList<>();
    private int unanswered;
    private boolean complete = true;
    private boolean patient = true;
    private boolean fetching;

    private Search(Peers peers, CopyKey key, StoreSettings settings, ScheduledExecutorService thread) {
        this.peers = peers;
        this.key = key;
        this.settings = settings;
        this.thread = thread;
    }

    /**
     * Asks the members. Completes on {@code thread}, from which it must be called.
     *
     * @param settings the patience with members that do not answer, once another has a copy; and how many copies there should
     *     be, after which it is shorter
     */
    static CompletableFuture<Outcome> run(
            Peers peers,
            CopyKey key,
            Collection<NodeId> members,
            StoreSettings settings,
            ScheduledExecutorService thread) {
        Search search = new Search(peers, key, settings, thread);
        search.look(List.copyOf(members));
        if (!search.result.isDone()) {
            search.stopWaitingIn(settings.patience().toMillis());
        }
        return search.result;
    }

    private void look(List<NodeId> members) {
        unanswered = members.size();
        for (NodeId member : members) {
            var _ = peers.ask(member, new Request.Look(key))
                    .whenCompleteAsync((reply, failure) -> looked(member, reply), thread);
        }
        proceed();
    }

    private void looked(NodeId member, @Nullable Reply reply) {
        unanswered--;
        if (reply instanceof Reply.Has(HaloKey version)) {
            found.add(new Found(member, version));
            if (found.size() == settings.copies()) {
                stopWaitingIn(settings.patience().toMillis() / HASTE);
            }
        }
        complete &= reply != null;
        proceed();
    }

    private void stopWaitingIn(long millis) {
        var _ = thread.schedule(this::stopWaiting, millis, TimeUnit.MILLISECONDS);
    }

    private void stopWaiting() {
        patient = false;
        proceed();
    }

    private void proceed() {
        if (fetching || result.isDone() || (unanswered > 0 && (patient || found.isEmpty()))) {
            return;
        }
        Optional<Found> best = found.stream().max(Comparator.comparing(Found::version));
        if (best.isEmpty()) {
            result.complete(new Outcome(Optional.empty(), complete));
            return;
        }
        found.remove(best.get());
        fetching = true;
        var _ = peers.ask(best.get().member(), new Request.Fetch(key))
                .whenCompleteAsync((reply, failure) -> fetched(reply), thread);
    }

    private void fetched(@Nullable Reply reply) {
        fetching = false;
        Optional<Checkpoint> checkpoint = reply instanceof Reply.Frame frame ? sound(frame) : Optional.empty();
        complete &= reply != null;
        if (checkpoint.isPresent()) {
            result.complete(new Outcome(checkpoint, complete));
        } else {
            proceed();
        }
    }

    private Optional<Checkpoint> sound(Reply.Frame frame) {
        byte[] bytes = new byte[frame.bytes().remaining()];
        frame.bytes().duplicate().get(bytes);
        return CopyHeader.read(bytes)
                .filter(header -> header.key().equals(key))
                .flatMap(header ->
                        header.value(bytes).map(value -> new Checkpoint(key.block(), header.version(), value)));
    }
}

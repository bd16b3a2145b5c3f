// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.backup;

import dev.volary.protocol.model.BackupVersion;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One search for the newest copy of a block: asks every live member what it has, and decides which copy to fetch, and when. A
 * member that is slow to answer, or cannot be reached yet, may have the newest one: it is waited for until a copy is found that
 * is as new as the newest known one, and a moment longer, because a newer one may be unknown so far; else for as long as the
 * patience lasts. A dead member is not waited for. Pure; times are nanoseconds of any one clock.
 */
public final class BackupSearch {

    /**
     * How long to wait.
     *
     * @param newer for members without an answer, once there is a copy as new as is known of
     * @param known the same, if there are only older ones
     * @param unknown the same, if it is unknown how new the newest copy is
     * @param nothing for any copy at all
     * @param again until a member that failed to answer is asked again
     */
    public record Patience(Duration newer, Duration known, Duration unknown, Duration nothing, Duration again) {

        /** This, with another wait for any copy at all. */
        public Patience waiting(Duration newNothing) {
            return new Patience(newer, known, unknown, newNothing, again);
        }
    }

    /** What to do now. */
    public sealed interface Next {

        /** Wait for answers, at most until then. */
        record Wait(long until) implements Next {}

        /** Fetch the copy of this member: answered by {@link BackupSearch#fetched} or {@link BackupSearch#failed}. */
        record Fetch(WorkerId member) implements Next {}

        /** There is no copy, or none that can be had. */
        record Nothing() implements Next {}

        /** The copy was fetched: the search is over. */
        record Done() implements Next {}
    }

    private static final class MemberState {
        private boolean asked;
        private boolean answered;
        private Optional<BlockVersion> has = Optional.empty();
        private long askAt = Long.MIN_VALUE;
    }

    private final Optional<BackupVersion> known;
    private final long newer;
    private long patientUntil;
    private final long giveUpAt;
    private final long again;
    private final TreeMap<WorkerId, MemberState> states = new TreeMap<>();
    private Set<WorkerId> reachable = Set.of();
    private Optional<WorkerId> fetching = Optional.empty();
    private boolean isKnownFound;
    private boolean isListKnown;
    private boolean done;

    /**
     * Begins; no member is asked before the first {@link #members}.
     *
     * @param known the newest copy that is known of, if any
     */
    public BackupSearch(Optional<BackupVersion> known, Patience patience, long now) {
        this.known = known;
        this.newer = patience.newer().toNanos();
        this.patientUntil = now + (known.isPresent() ? patience.known() : patience.unknown()).toNanos();
        this.giveUpAt = now + patience.nothing().toNanos();
        this.again = patience.again().toNanos();
    }

    /**
     * Who may have a copy.
     *
     * @param live all that are alive: the copies of others are lost
     * @param within those that can be asked at present
     */
    public void members(Collection<WorkerId> live, Collection<WorkerId> within) {
        isListKnown = true;
        states.keySet().retainAll(Set.copyOf(live));
        live.forEach(member -> states.computeIfAbsent(member, id -> new MemberState()));
        reachable = Set.copyOf(within);
        fetching = fetching.filter(states::containsKey);
    }

    /** Whom to ask now what it has: answered by {@link #looked} or {@link #failed}. */
    public List<WorkerId> asks(long now) {
        List<WorkerId> asks = new ArrayList<>();
        states.forEach((member, state) -> {
            if (!done && !state.asked && !state.answered && now >= state.askAt && reachable.contains(member)) {
                state.asked = true;
                asks.add(member);
            }
        });
        return asks;
    }

    /** A member has this copy, or none. */
    public void looked(WorkerId member, Optional<BlockVersion> has) {
        MemberState state = states.get(member);
        if (state != null) {
            state.asked = false;
            state.answered = true;
            state.has = has;
        }
    }

    /**
     * A copy has come.
     *
     * @param sound whether it can be used: a member whose copy cannot has none
     */
    public void fetched(WorkerId member, boolean sound) {
        done |= sound;
        fetching = fetching.filter(other -> !other.equals(member));
        if (!sound) {
            looked(member, Optional.empty());
        }
    }

    /** A member did not answer; it may later. */
    public void failed(WorkerId member, long now) {
        fetching = fetching.filter(other -> !other.equals(member));
        MemberState state = states.get(member);
        if (state != null) {
            state.asked = false;
            state.answered = false;
            state.has = Optional.empty();
            state.askAt = now + again;
        }
    }

    /** What to do now. */
    public Next next(long now) {
        if (done) {
            return new Next.Done();
        }
        if (fetching.isPresent()) {
            return new Next.Wait(Long.MAX_VALUE);
        }
        Optional<Map.Entry<WorkerId, MemberState>> best = states.entrySet().stream()
                .filter(entry -> entry.getValue().has.isPresent())
                .max(Comparator.comparing(entry -> entry.getValue().has.orElseThrow()));
        boolean all = isListKnown && states.values().stream().allMatch(state -> state.answered);
        if (best.isEmpty()) {
            return all || now >= giveUpAt ? new Next.Nothing() : new Next.Wait(Math.min(giveUpAt, nextAsk()));
        }
        BlockVersion version = best.get().getValue().has.orElseThrow();
        if (!isKnownFound && known.filter(copy -> copy.isMetBy(version)).isPresent()) {
            isKnownFound = true;
            patientUntil = Math.min(patientUntil, now + newer);
        }
        if (all || now >= patientUntil) {
            fetching = Optional.of(best.get().getKey());
            return new Next.Fetch(best.get().getKey());
        }
        return new Next.Wait(Math.min(patientUntil, nextAsk()));
    }

    private long nextAsk() {
        return states.entrySet().stream()
                .filter(entry ->
                        !entry.getValue().asked && !entry.getValue().answered && reachable.contains(entry.getKey()))
                .mapToLong(entry -> entry.getValue().askAt)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}

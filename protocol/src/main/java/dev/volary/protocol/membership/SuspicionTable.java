// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.MembershipMessage.Evidence;
import dev.volary.protocol.message.MembershipMessage.Suspicion;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The suspicions that one member decides: confirmed with the help of others and declared, or closed by a sign of life. Verdicts
 * of about the same time are returned together.
 */
public final class SuspicionTable {
    /** With no member left to ask, and no message from elsewhere, this one may be cut off itself: it waits this many timeouts. */
    private static final int ALONE = 3;
    /** Unanswered probes after which this member itself confirms the suspicion. */
    private static final int OWN_PROBES = 3;

    private final MembershipView view;
    private final FailureDetectorConfig config;
    private final MonitoringStrategy strategy;
    private final TreeMap<WorkerId, OpenSuspicion> openSuspicions = new TreeMap<>();

    SuspicionTable(MembershipView view) {
        this.view = view;
        this.config = view.config;
        this.strategy = view.strategy;
    }

    boolean has(WorkerId suspect) {
        return openSuspicions.containsKey(suspect);
    }

    /** Adds a suspicion of this member or another. */
    void add(WorkerId from, Suspicion suspicion, long now) {
        PeerState suspect = view.peer(suspicion.member());
        if (suspicion.evidence() == Evidence.SILENT || suspicion.evidence() == Evidence.REFUSED) {
            suspect.relayed(suspicion.silentNanos(), config, now);
        }
        switch (suspicion.evidence()) {
            case SILENT -> {
                if (has(suspect.id) || now - suspect.lastKnownAliveAt() >= strategy.suspectNanos(0)) {
                    OpenSuspicion open = open(suspect.id, now);
                    open.silent = true;
                    open.confirmedBy.add(from);
                    open.delayed(suspicion.delayNanos());
                    // A member that had to monitor it knows when it last lived, even if the ring has changed since.
                    open.inform(suspicion.silentNanos() < config.timeout().toNanos());
                }
            }
            case REFUSED -> {
                OpenSuspicion open = open(suspect.id, now);
                open.silent = true;
                open.confirmedBy.add(from);
                open.refusedBy.add(from);
            }
            case HINTED -> {
                OpenSuspicion open = open(suspect.id, now);
                open.silent = true;
                open.hinted = true;
            }
            case STUCK -> {
                OpenSuspicion open = open(suspect.id, now);
                open.stuckBy.put(from, now);
                open.standingNanos = Math.max(open.standingNanos, suspicion.silentNanos());
            }
            case LEFT -> open(suspect.id, now).left = true;
        }
    }

    /** Opens a suspicion of a member of which possibly no other knows when it last lived: it is probed for a while. */
    void suspect(WorkerId member, long now) {
        open(member, now).silent = true;
    }

    private OpenSuspicion open(WorkerId suspect, long now) {
        return openSuspicions.computeIfAbsent(suspect, id -> new OpenSuspicion(id, now));
    }

    /** What another member knows of a suspect. */
    void answered(WorkerId from, MembershipMessage.ProbeAnswer answer, long now) {
        OpenSuspicion open = openSuspicions.get(answer.suspect());
        if (open == null) {
            return;
        }
        OpenSuspicion.Ask ask = open.asks.computeIfAbsent(from, id -> new OpenSuspicion.Ask());
        ask.answered = true;
        ask.count = 0;
        open.delayed(answer.delayNanos());
        long old = strategy.suspectNanos(0) - Math.min(strategy.suspectNanos(0), answer.silentNanos());
        ask.againAt =
                now + Math.max(config.probeNanos(), old == 0 ? config.timeout().toNanos() / 4 : old);
        open.inform(view.watchersOf(open.suspect).contains(from) && PeerState.isSign(answer.silentNanos()));
        if (answer.silentNanos() >= strategy.suspectNanos(0) || answer.refused()) {
            open.confirmedBy.add(from);
        } else {
            open.confirmedBy.remove(from);
        }
        if (answer.refused()) {
            open.refusedBy.add(from);
        }
    }

    /** Asks, closes and declares. */
    List<FailureVerdict> tick(Turn turn) {
        if (openSuspicions.isEmpty()) {
            return List.of();
        }
        if (strategy.confirmsSuspicions() && view.isOwner()) {
            openUnwatched(turn.now());
        }
        openSuspicions.values().removeIf(open -> isClosed(open, turn.now()));
        long first = Long.MAX_VALUE;
        for (OpenSuspicion open : List.copyOf(openSuspicions.values())) {
            boolean ripe = isRipe(open, turn);
            open.ripeAt = ripe ? Math.min(open.ripeAt, turn.now()) : Long.MAX_VALUE;
            first = Math.min(first, open.ripeAt);
        }
        return first != Long.MAX_VALUE && turn.now() - first >= config.batchNanos() ? declare(turn.now()) : List.of();
    }

    private List<FailureVerdict> declare(long now) {
        List<FailureVerdict> verdicts = new ArrayList<>();
        for (OpenSuspicion open : List.copyOf(openSuspicions.values())) {
            if (open.ripeAt != Long.MAX_VALUE) {
                openSuspicions.remove(open.suspect);
                FailureVerdict verdict = verdict(open, now);
                view.peer(open.suspect).declare(verdict);
                verdicts.add(verdict);
            }
        }
        return verdicts;
    }

    private static FailureVerdict verdict(OpenSuspicion open, long now) {
        if (open.left) {
            return new FailureVerdict(open.suspect, FailureVerdict.Cause.LEFT, 0);
        } else if (!open.silent) {
            return new FailureVerdict(open.suspect, FailureVerdict.Cause.STUCK, open.standingNanos);
        }
        return new FailureVerdict(open.suspect, FailureVerdict.Cause.DEAD, now - open.lastSign);
    }

    /** A member all of whose watchers are suspects or dead is a suspect itself, unless it gave a sign of life just now. */
    private void openUnwatched(long now) {
        for (WorkerId member : view.others()) {
            PeerState peer = view.peer(member);
            if (!peer.isDeclaredDead()
                    && !has(member)
                    && now - peer.lastKnownAliveAt() > config.heartbeat().toNanos() + config.graceNanos()
                    && view.watchersOf(member).stream().allMatch(id -> isLost(id, now))) {
                suspect(member, now);
            }
        }
    }

    /** Declared, or a suspect that did not answer the first probes. */
    private boolean isLost(WorkerId member, long now) {
        OpenSuspicion open = openSuspicions.get(member);
        return open == null
                ? !member.equals(view.self) && view.peer(member).isDeclaredDead()
                : open.silent && now - open.openedAt >= OWN_PROBES * config.probeNanos();
    }

    private boolean isSuspectOrDead(WorkerId member) {
        return !member.equals(view.self) && (has(member) || view.peer(member).isDeclaredDead());
    }

    private boolean isClosed(OpenSuspicion open, long now) {
        PeerState suspect = view.peer(open.suspect);
        if (suspect.isDeclaredDead()) {
            return true;
        }
        long probed = open.openedAt - config.silenceNanos() + config.probationNanos();
        open.lastSign = open.informed ? suspect.lastKnownAliveAt() : Math.max(probed, suspect.lastKnownAliveAt());
        open.stuckBy.values().removeIf(at -> now - at > 2 * config.heartbeat().toNanos());
        if (open.silent && suspect.lastKnownAliveAt() >= open.openedAt) {
            open.silent = false;
        }
        return !open.silent && !open.left && open.stuckBy.isEmpty();
    }

    private boolean isRipe(OpenSuspicion open, Turn turn) {
        if (open.left) {
            return true;
        }
        if (!open.silent) {
            long watching = view.watchersOf(open.suspect).stream()
                    .filter(id -> !isSuspectOrDead(id))
                    .count();
            return open.stuckBy.size() >= Math.min(2, Math.max(1, watching));
        }
        return strategy.isCertain(open, this, turn);
    }

    /** Asks all others what they know of a suspect. */
    void askAllOnce(OpenSuspicion open, Turn turn) {
        if (open.asks.isEmpty()) {
            view.others().stream().filter(id -> !id.equals(open.suspect)).forEach(id -> ask(open, id, turn));
        }
    }

    /** Whether enough others cannot reach a suspect either; asks them. */
    boolean isConfirmed(OpenSuspicion open, Turn turn) {
        PeerState suspect = view.peer(open.suspect);
        if (suspect.isRefused()) {
            open.refusedBy.add(view.self);
        }
        if (suspect.isRefused() || suspect.unanswered >= OWN_PROBES) {
            open.confirmedBy.add(view.self);
        }
        List<WorkerId> helpers = helpers(open);
        int required = Math.min(1 + config.confirmations(), 1 + helpers.size());
        boolean awaited = inquire(open, helpers, required, turn);
        boolean refused =
                open.refusedBy.contains(view.self) && (open.refusedBy.size() > 1 || open.hinted || helpers.isEmpty());
        boolean alone =
                helpers.isEmpty() && !view.others().equals(List.of(open.suspect)) && !view.isConnected(turn.now());
        long delay = Math.max(open.delayNanos, view.delayNanos(suspect, turn.now()));
        long limit =
                (alone ? ALONE * config.timeout().toNanos() : config.silenceNanos()) + strategy.allowanceNanos(delay);
        boolean silent = turn.now() - open.lastSign >= limit && !awaited && open.confirmedBy.size() >= required;
        return refused || silent;
    }

    /** Who can be asked: the suspect's watchers first, then others. */
    private List<WorkerId> helpers(OpenSuspicion open) {
        Set<WorkerId> helpers = new LinkedHashSet<>();
        view.watchersOf(open.suspect).stream().filter(id -> canHelp(id, open)).forEach(helpers::add);
        List<WorkerId> rest = new ArrayList<>(view.others());
        rest.removeIf(id -> helpers.contains(id) || !canHelp(id, open));
        helpers.addAll(rest);
        return List.copyOf(helpers);
    }

    private boolean canHelp(WorkerId id, OpenSuspicion open) {
        OpenSuspicion.Ask ask = open.asks.get(id);
        return !id.equals(view.self)
                && !id.equals(open.suspect)
                && !isSuspectOrDead(id)
                && (ask == null || !OpenSuspicion.isUnresponsive(ask));
    }

    /** Asks as many as are needed, repeatedly; returns whether a watcher may still know of a newer sign of life. */
    private boolean inquire(OpenSuspicion open, List<WorkerId> helpers, int required, Turn turn) {
        Set<WorkerId> watchers = new HashSet<>(view.watchersOf(open.suspect));
        boolean awaited = false;
        int enough = required - (open.confirmedBy.contains(view.self) ? 0 : 1);
        for (WorkerId helper : helpers) {
            OpenSuspicion.Ask ask = open.asks.get(helper);
            boolean watcher = watchers.contains(helper);
            if (ask == null && !open.confirmedBy.contains(helper)) {
                if (watcher || open.confirmedBy.size() + open.pending(helpers) < enough) {
                    ask(open, helper, turn);
                }
            } else if (ask != null && turn.now() >= ask.againAt) {
                ask(open, helper, turn);
            }
            awaited |= watcher && !open.confirmedBy.contains(helper);
        }
        open.asks.forEach((id, ask) -> {
            if (OpenSuspicion.isUnresponsive(ask) && view.has(id) && view.judges(id) && !isSuspectOrDead(id)) {
                suspect(id, turn.now());
            }
        });
        return awaited;
    }

    private void ask(OpenSuspicion open, WorkerId helper, Turn turn) {
        OpenSuspicion.Ask ask = open.asks.computeIfAbsent(helper, id -> new OpenSuspicion.Ask());
        ask.answered = false;
        ask.count++;
        ask.againAt = turn.now() + config.probeNanos();
        view.send(helper, new MembershipMessage.Probe(open.suspect), turn);
    }

    /** This process did not run for a while. */
    void shift(long pause) {
        openSuspicions.values().forEach(open -> open.shift(pause));
    }

    /** Forgets suspicions of former members, and of members that this one no longer declares dead. */
    void retain() {
        openSuspicions.keySet().removeIf(id -> !view.has(id) || !view.judges(id));
    }

    long wakeUp(long now) {
        long wakeUp = Long.MAX_VALUE;
        for (OpenSuspicion open : openSuspicions.values()) {
            long ripe = open.ripeAt == Long.MAX_VALUE ? Long.MAX_VALUE : open.ripeAt + config.batchNanos();
            wakeUp = Math.min(wakeUp, Math.min(ripe, now + config.probeNanos()));
        }
        return wakeUp;
    }

    int entries() {
        return openSuspicions.values().stream().mapToInt(OpenSuspicion::entries).sum();
    }
}

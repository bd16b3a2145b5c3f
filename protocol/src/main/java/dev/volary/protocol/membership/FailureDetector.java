// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.membership;

import dev.volary.protocol.config.FailureDetectorConfig;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.MembershipMessage.Suspicion;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.IterationCounter;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Detects dead members of a group. Sends and monitors heartbeats and reports suspicions to the owner; on the owner, declares
 * members dead. If the owner is the suspect, its watchers declare it dead and announce that to the rest.
 *
 * <p>A machine embeds it: it passes on what arrives, and calls {@link #tick} after every event of its own and at each wake-up;
 * verdicts come out there. A call that comes later than it was asked for shows that this process was paused: the time is not
 * counted as the others' silence.
 */
public final class FailureDetector {
    /** How often a leaving member announces that in quick succession. */
    private static final int FAST_DEPARTING_MESSAGES = 10;

    private final WorkerId self;
    private final FailureDetectorConfig config;
    private final MonitoringStrategy strategy;
    private final PauseDetector pauses;
    private final MembershipView view;
    private final SuspicionTable suspicions;
    private final SuspicionReporter reporter;
    private final ProbeResponder probes;
    private final VerdictPublisher publisher;
    private final List<FailureVerdict> newVerdicts = new ArrayList<>();
    private List<IterationCounter> counters = List.of();
    private boolean leaving;
    private int departingMessages;
    private long departingAt;
    private boolean declared;

    /**
     * A member of no group yet.
     *
     * @param seed of the phases of its heartbeats and, where they are drawn, of its monitors
     */
    public FailureDetector(WorkerId self, FailureDetectorConfig config, long seed) {
        this(self, config, seed, new SchedulingDelay(0));
    }

    /** @param delay of this process's wake-ups so far, which it goes on recording */
    FailureDetector(WorkerId self, FailureDetectorConfig config, long seed, SchedulingDelay delay) {
        this.self = self;
        this.config = config;
        this.strategy = MonitoringStrategy.of(config);
        this.pauses = new PauseDetector(strategy.compensatesOwnPauses() ? config.probeNanos() : Long.MAX_VALUE);
        this.view = new MembershipView(self, config, strategy, seed, delay);
        this.suspicions = new SuspicionTable(view);
        this.reporter = new SuspicionReporter(view, suspicions);
        this.probes = new ProbeResponder(view);
        this.publisher = new VerdictPublisher(view);
    }

    /** The group has changed. A list that is not newer, or that this member is not in, ends nothing and starts nothing. */
    public void updateMembers(MemberList members, Turn turn) {
        enter(turn.now());
        Map<WorkerId, FailureVerdict> before = new TreeMap<>();
        for (PeerState peerState : view.peers()) {
            peerState.verdict().ifPresent(verdict -> before.put(peerState.id, verdict));
        }
        if (view.updateMembers(members, turn.now())) {
            suspicions.retain();
            probes.retain();
            before.keySet().removeIf(view::has);
            publisher.groupChanged(before);
            reporter.groupChanged();
            declared = false;
            turn.wakeAt(turn.now());
        }
    }

    /** Takes a sign that a member lives or is dead. */
    public void on(WorkerEvent.PeerEvent event, Turn turn) {
        switch (event) {
            case WorkerEvent.Acknowledged acknowledged -> {
                receivedFrom(acknowledged.peer(), turn.now());
                acknowledgedBy(acknowledged.peer(), acknowledged.sentAt(), turn.now());
            }
            case WorkerEvent.ConnectionReset reset -> connectionReset(reset.peer(), turn);
            case WorkerEvent.PlatformHint hint -> hinted(hint.peer(), turn.now());
        }
    }

    /** A control message arrived: whatever its content, its sender lives. */
    public void arrived(WorkerId from, Message message, Turn turn) {
        if (message instanceof MembershipMessage.PeerMessage peerMessage) {
            received(from, peerMessage, turn);
        } else {
            receivedFrom(from, turn.now());
        }
    }

    /** A message of failure detection arrived. */
    public void received(WorkerId from, MembershipMessage.PeerMessage message, Turn turn) {
        enter(turn.now());
        if (!view.has(from)) {
            receivedFromNonMember(from, message, turn);
            return;
        }
        PeerState sender = view.peer(from);
        sender.received(turn.now());
        probes.answerWaiting(sender, turn);
        switch (message) {
            case MembershipMessage.Heartbeat heartbeat -> {
                view.expectHeartbeat(sender, heartbeat.intervalNanos());
                sender.left |= heartbeat.leaving();
                sender.delayNanos = heartbeat.delayNanos();
                sender.updateCounters(heartbeat.counters(), config.stuck().toNanos(), turn.now());
                publisher.send(from, sender, turn);
            }
            case MembershipMessage.Probe probe -> probes.probed(from, probe.suspect(), turn);
            case MembershipMessage.ProbeAnswer answer -> answered(from, answer, turn.now());
            case MembershipMessage.Refutation refutation -> {}
            case MembershipMessage.Suspicions suspicions -> suspicionsReceived(from, suspicions.suspicions(), turn);
            case MembershipMessage.Departing departing -> {
                sender.left = true;
                publisher.send(from, sender, turn);
            }
            case MembershipMessage.VerdictAnnouncement verdicts ->
                verdicts.verdicts().forEach(verdict -> declared(from, verdict, turn.now()));
        }
    }

    /** Other control traffic arrived from a member: it lives. */
    public void receivedFrom(WorkerId peer, long now) {
        enter(now);
        if (view.has(peer)) {
            view.peer(peer).received(now);
        }
    }

    /** A message arrived from a worker on another machine, of this group or not. */
    public void arrivedFromElsewhere(long now) {
        enter(now);
        view.connected(now);
    }

    /**
     * Other control traffic was sent. With most strategies it does not replace a heartbeat: what was sent may be stuck in a queue
     * that heartbeats do not share.
     */
    public void sentTo(WorkerId peer, long now) {
        enter(now);
        if (strategy.sentTrafficReplacesHeartbeat()) {
            view.heartbeats.postpone(peer, now);
        }
    }

    /**
     * The peer has received other control traffic, as its acknowledgement shows: it needs no heartbeat for a while.
     *
     * @param sentAt when this member sent the newest acknowledged message
     */
    public void acknowledgedBy(WorkerId peer, long sentAt, long now) {
        enter(now);
        if (strategy.acknowledgedTrafficReplacesHeartbeat()) {
            view.heartbeats.postpone(peer, sentAt);
        }
    }

    /** How far this member's blocks are; sent with the heartbeats. Empty while it computes nothing. */
    public void setCounters(List<IterationCounter> newest) {
        counters = List.copyOf(newest);
    }

    /** A connection to the peer was reset or refused: a hint that its process is dead. */
    public void connectionReset(WorkerId peer, Turn turn) {
        enter(turn.now());
        if (!strategy.usesConnectionResets() || !view.has(peer)) {
            return;
        }
        PeerState peerState = view.peer(peer);
        peerState.refused(turn.now());
        probes.answerWaiting(peerState, turn);
    }

    /** The platform reports that the peer is ending or has ended. */
    public void hinted(WorkerId peer, long now) {
        enter(now);
        if (strategy.usesPlatformHints() && view.has(peer)) {
            view.peer(peer).hinted = true;
        }
    }

    /**
     * Suspects a member because something has died that may have taken it along: the member is probed, and those who monitored
     * it are asked when they last received something from it.
     */
    public void suspect(WorkerId peer, long now) {
        enter(now);
        if (strategy.confirmsSuspicions() && view.has(peer) && view.judges(peer)) {
            suspicions.suspect(peer, now);
        }
    }

    /** This member is about to end: it announces that until it is declared. */
    public void leaving(long now) {
        enter(now);
        if (!leaving) {
            leaving = true;
            departingAt = now;
            view.heartbeats.makeAllDue(now);
        }
    }

    /**
     * Sends heartbeats, probes, reports suspicions and declares members dead as far as it is time to.
     *
     * @return verdicts that are new, those of one moment together: on the members of a group for its owner, on the owner for
     *     the others. A verdict on this member itself means that it was declared dead, and is or will be fenced
     */
    public List<FailureVerdict> tick(Turn turn) {
        enter(turn.now());
        sendHeartbeats(turn);
        reporter.tick(turn);
        List<FailureVerdict> verdicts = new ArrayList<>(newVerdicts);
        newVerdicts.clear();
        List<FailureVerdict> confirmed = suspicions.tick(turn);
        verdicts.addAll(confirmed);
        publisher.declared(confirmed, turn.now());
        publisher.tick(turn);
        long wakeUp = Math.max(turn.now(), nextWakeUp(turn.now()));
        pauses.expect(wakeUp);
        turn.wakeAt(wakeUp);
        return verdicts;
    }

    /** How much longer than others a member may be silent, in nanoseconds, because it runs late, or this one does. */
    long allowanceNanos(WorkerId member, long now) {
        return view.has(member) ? strategy.allowanceNanos(view.delayNanos(view.peer(member), now)) : 0;
    }

    /** Entries held: bounded by the size of the group. */
    public int entries() {
        return view.entries() + suspicions.entries() + probes.entries() + publisher.entries() + counters.size();
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    /** A call begins. A pause of this process before it was not the others' silence. */
    private void enter(long now) {
        view.schedulingDelay.record(pauses.lateNanos(now), now);
        long pause = pauses.called(now);
        if (pause > 0) {
            view.shift(pause);
            suspicions.shift(pause);
            reporter.shift(pause);
        }
    }

    private long nextWakeUp(long now) {
        long next = Math.min(suspicions.wakeUp(now), reporter.wakeUp(now));
        next = Math.min(next, Math.min(view.heartbeats.wakeUp(), publisher.wakeUp()));
        if (leaving && !declared) {
            next = Math.min(next, departingAt);
        }
        // Often enough to notice a pause of this process.
        return strategy.compensatesOwnPauses() && view.owner().isPresent()
                ? Math.min(next, now + config.heartbeat().toNanos() / 2)
                : next;
    }

    // ---- signs of life ---------------------------------------------------------------------------------------------

    private void sendHeartbeats(Turn turn) {
        long delay = view.schedulingDelay.longest(turn.now());
        for (HeartbeatScheduler.Due due : view.heartbeats.due(turn.now())) {
            view.send(due.to(), new MembershipMessage.Heartbeat(due.interval(), leaving, counters, delay), turn);
        }
        if (leaving && !declared && turn.now() >= departingAt) {
            view.owner()
                    .filter(owner -> !owner.equals(self))
                    .ifPresent(owner -> view.send(owner, new MembershipMessage.Departing(), turn));
            departingMessages++;
            departingAt = turn.now()
                    + (departingMessages < FAST_DEPARTING_MESSAGES
                            ? config.probeNanos()
                            : config.heartbeat().toNanos());
        }
    }

    private void answered(WorkerId from, MembershipMessage.ProbeAnswer answer, long now) {
        if (!view.has(answer.suspect())) {
            return;
        }
        view.peer(answer.suspect()).relayed(answer.silentNanos(), config, now);
        suspicions.answered(from, answer, now);
    }

    // ---- suspicions ------------------------------------------------------------------------------------------------

    /** Another member reports suspicions: each gets an answer, so that the reporter knows that the owner lives. */
    private void suspicionsReceived(WorkerId from, List<Suspicion> batch, Turn turn) {
        for (Suspicion suspicion : batch) {
            if (!view.has(suspicion.member()) || !view.isOwner()) {
                publisher.sendRemembered(from, suspicion.member(), turn);
                continue;
            }
            PeerState suspect = view.peer(suspicion.member());
            if (suspect.isDeclaredDead()) {
                publisher.send(from, suspect, turn);
                continue;
            }
            long known = turn.now() - suspect.lastKnownAliveAt();
            suspicions.add(from, suspicion, turn.now());
            probes.answer(from, suspect, known, turn);
        }
    }

    // ---- verdicts --------------------------------------------------------------------------------------------------

    /** The sender is not in this group: it may belong to a newer or older version of it, or was declared. */
    private void receivedFromNonMember(WorkerId from, MembershipMessage.PeerMessage message, Turn turn) {
        if (message instanceof MembershipMessage.Probe probe && probe.suspect().equals(self)) {
            probes.probed(from, self, turn);
        } else if (message instanceof MembershipMessage.Heartbeat || message instanceof MembershipMessage.Departing) {
            publisher.sendRemembered(from, from, turn);
        } else if (message instanceof MembershipMessage.VerdictAnnouncement verdicts) {
            verdicts.verdicts().stream()
                    .filter(verdict -> verdict.member().equals(self))
                    .forEach(verdict -> declared(from, verdict, turn.now()));
        }
    }

    private void declared(WorkerId from, FailureVerdict verdict, long now) {
        if (verdict.member().equals(self)) {
            if (!declared && !leaving) {
                newVerdicts.add(verdict);
            }
            declared = true;
        } else if (view.has(verdict.member()) && !verdict.member().equals(from)) {
            PeerState peerState = view.peer(verdict.member());
            boolean owner = view.owner().filter(verdict.member()::equals).isPresent();
            boolean receivedSince = now - peerState.lastReceivedAt() < verdict.silentNanos() / 2;
            if (owner && !peerState.isDeclaredDead() && !receivedSince) {
                newVerdicts.add(verdict);
            }
            if (!owner || !receivedSince) {
                peerState.declare(verdict);
            }
        }
    }
}

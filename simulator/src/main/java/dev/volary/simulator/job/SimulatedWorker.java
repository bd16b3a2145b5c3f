// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.link.OutboxFullException;
import dev.volary.protocol.link.ReliableLink;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.MessageAuthorizer;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** A worker process: a machine, its clock, and its control links. */
abstract class SimulatedWorker {
    /** Events between two counts of the entries. */
    private static final int MEMORY_EVERY = 50;

    final Member member;
    final SimulationState simulation;
    final SimulatedBackupStore store = new SimulatedBackupStore(this);
    private final long clockOffset;
    private final double clockRate;
    private final TreeMap<WorkerId, ReliableLink<Message>> links = new TreeMap<>();
    private final Set<WorkerId> timers = new HashSet<>();
    private final Set<WorkerId> known = new HashSet<>();
    /** Workers that this one has a connection to: it has sent to them or received from them. */
    private final Set<WorkerId> connected = new HashSet<>();

    private long tickAt = Long.MAX_VALUE;
    private long handled;
    private boolean dead;
    private long pausedUntil;

    SimulatedWorker(Member member, SimulationState simulation) {
        this.member = member;
        this.simulation = simulation;
        this.clockOffset = simulation.random.nextLong(1_000_000_000_000L);
        double drift = simulation.scenario.faultPlan().drift();
        this.clockRate = drift > 0 ? 1 + drift * (2 * simulation.random.nextDouble() - 1) : 1;
    }

    /** This node's clock. */
    final long now() {
        return (long) (simulation.queue.now() * clockRate) + clockOffset;
    }

    /** Runs something in this process after a delay of true time: never if it is dead, later if it is paused. */
    final void later(long delay, Runnable what) {
        simulation.queue.after(delay, () -> run(what));
    }

    /** As {@link #later}, now. */
    final void run(Runnable what) {
        if (dead) {
            return;
        }
        long left = pausedUntil - simulation.queue.now();
        if (left > 0) {
            later(left, what);
        } else {
            what.run();
        }
    }

    /** Waits for a time of this node's clock. */
    private void at(long nanos, Runnable what) {
        later((long) Math.ceil((nanos - now()) / clockRate), what);
    }

    /** Whether the process is there, be it stopped. */
    final boolean lives() {
        return !dead;
    }

    /** The process ends. */
    void die() {
        dead = true;
    }

    /** The process pauses. */
    final void pause(long nanos) {
        pausedUntil = simulation.queue.now() + nanos;
        simulation.checker.disturbed(pausedUntil);
    }

    /** Passes an event to the machine and executes its actions. */
    abstract void handle(WorkerEvent event);

    /** Passes a message to the machine and executes its actions. */
    abstract void received(WorkerId from, Message message);

    /** Executes an action of the machines of both roles. */
    final void carryOut(WorkerAction action) {
        switch (action) {
            case WorkerAction.Send send -> send(send.to(), send.message());
            case WorkerAction.AddPeer know -> known.add(know.member().id());
            case WorkerAction.ForgetPeer forget -> forget(forget.peer());
            case WorkerAction.OpenBackupStore asked -> store.open();
            case WorkerAction.UpdateHolders now -> store.holders(now.holders());
            case WorkerAction.Restart request -> restart();
        }
    }

    /** A worker that lives must not be sent to after that; what is sent to a dead one is lost anyway. */
    private void forget(WorkerId peer) {
        if (simulation.nodes.containsKey(peer)) {
            known.remove(peer);
        }
    }

    /** To be called when all actions of this turn are executed. */
    final void done(Turn turn) {
        wake(turn.wakeUp());
        if (++handled % MEMORY_EVERY == 0) {
            simulation.checker.memoryUsed(member, entries());
        }
    }

    abstract void restart();

    abstract int entries();

    /** A membership message arrives, which is neither acknowledged nor repeated. */
    final void onMembershipMessage(WorkerId from, MembershipMessage.PeerMessage message) {
        known.add(from);
        connected.add(from);
        received(from, message);
    }

    final void onFrame(WorkerId from, ReliableLink.Frame<Message> frame) {
        known.add(from);
        connected.add(from);
        ReliableLink<Message> link = link(from);
        ReliableLink.Arrival<Message> arrival = link.onFrame(frame, now());
        arrival.reply().forEach(reply -> simulation.frame(member.id(), from, reply));
        simulation.checker.linkUsed(member, link.outstanding(), link.early(), simulation.timing.links());
        timer(from, link);
        arrival.acknowledged().ifPresent(sentAt -> handle(new WorkerEvent.Acknowledged(from, sentAt)));
        for (Message message : arrival.delivered()) {
            known.add(from); // also if it was just forgotten: its connection stays
            received(from, message);
        }
    }

    /** A node reached this one on a connection of its own. */
    final void reachedBy(WorkerId stranger) {
        known.add(stranger);
    }

    private void send(WorkerId to, Message message) {
        if (!known.contains(to)) {
            simulation.checker.violated(member.name() + " sends to " + to + ", whom it does not know: " + message);
            return;
        }
        if (!MessageAuthorizer.allows(member.role(), message)) {
            simulation.checker.violated(member.name() + " sends what its role may not send: " + message);
            return;
        }
        if (member.role() == WorkerRole.DAEMON) {
            simulation.statistics.sent();
        }
        connected.add(to);
        if (message instanceof MembershipMessage.PeerMessage membership) {
            simulation.sendMembershipMessage(member.id(), to, membership);
            return;
        }
        ReliableLink<Message> link = link(to);
        try {
            simulation.checker.messageSent(member, to, message);
            simulation.faultInjector().sends(this, message);
            simulation.frame(member.id(), to, link.send(message, now()));
            simulation.faultInjector().sent(this, message);
        } catch (OutboxFullException full) {
            simulation.checker.messageRefused();
        }
        timer(to, link);
    }

    /** Whether there is a connection to this node. */
    final boolean isConnectedTo(WorkerId peer) {
        return connected.contains(peer);
    }

    private ReliableLink<Message> link(WorkerId peer) {
        return links.computeIfAbsent(
                peer,
                id -> new ReliableLink<>(id.toString(), simulation.timing.links(), simulation.timing.retransmission()));
    }

    private void timer(WorkerId peer, ReliableLink<Message> link) {
        if (link.wakeUp() != Long.MAX_VALUE && timers.add(peer)) {
            at(link.wakeUp(), () -> {
                timers.remove(peer);
                List<ReliableLink.Frame<Message>> again = link.tick(now());
                again.forEach(frame -> simulation.frame(member.id(), peer, frame));
                timer(peer, link);
            });
        }
    }

    private void wake(long at) {
        if (at < tickAt) {
            tickAt = at;
            at(at, () -> {
                if (tickAt == at) {
                    tickAt = Long.MAX_VALUE;
                    handle(new WorkerEvent.Tick());
                }
            });
        }
    }
}

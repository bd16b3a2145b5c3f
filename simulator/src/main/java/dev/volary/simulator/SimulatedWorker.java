// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator;

import dev.volary.protocol.Action;
import dev.volary.protocol.Event;
import dev.volary.protocol.Machine;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.Turn;
import dev.volary.protocol.WorkerId;
import dev.volary.protocol.WorkerRole;
import dev.volary.protocol.link.OutboxFullException;
import dev.volary.protocol.link.ReliableLink;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** A worker process: a machine, its clock, and its control links. */
abstract class SimulatedWorker {
    /** Entries are counted at every so-many-th event. */
    private static final int MEMORY_EVERY = 50;

    final Member member;
    final SimulationState world;
    final SimulatedBackupStore store = new SimulatedBackupStore(this);
    private final Machine machine;
    private final long clockOffset;
    private final double clockRate;
    private final TreeMap<WorkerId, ReliableLink<Message>> links = new TreeMap<>();
    private final Set<WorkerId> timers = new HashSet<>();
    private final Set<WorkerId> known = new HashSet<>();
    /** Whom this node has a connection to: it has sent to or heard from them. */
    private final Set<WorkerId> connected = new HashSet<>();

    private long tickAt = Long.MAX_VALUE;
    private long handled;
    private boolean dead;
    private long pausedUntil;

    SimulatedWorker(Member member, SimulationState world, Machine machine) {
        this.member = member;
        this.world = world;
        this.machine = machine;
        this.clockOffset = world.random.nextLong(1_000_000_000_000L);
        double drift = world.scenario.chaos().drift();
        this.clockRate = drift > 0 ? 1 + drift * (2 * world.random.nextDouble() - 1) : 1;
    }

    /** This node's clock. */
    final long now() {
        return (long) (world.agenda.now() * clockRate) + clockOffset;
    }

    /** Does something in this process after a while, by true time: never if it is dead, later if it stands still. */
    final void later(long delay, Runnable what) {
        world.agenda.after(delay, () -> run(what));
    }

    /** As {@link #later}, now. */
    final void run(Runnable what) {
        if (dead) {
            return;
        }
        long left = pausedUntil - world.agenda.now();
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

    /** The process is gone. */
    void die() {
        dead = true;
    }

    /** The process stands still. */
    final void pause(long nanos) {
        pausedUntil = world.agenda.now() + nanos;
        world.judge.disturbed(pausedUntil);
    }

    /** Gives the machine an event and does what it wants. */
    final void handle(Event event) {
        if (dead) {
            return;
        }
        Turn turn = new Turn(now());
        machine.on(event, turn);
        for (Action action : turn.actions()) {
            if (dead || !world.wiring.does(action)) {
                continue;
            }
            switch (action) {
                case Action.Send send -> send(send.to(), send.message());
                case Action.AddPeer know -> known.add(know.member().id());
                case Action.OpenBackupStore asked -> store.open();
                case Action.UpdateHolders now -> store.holders(now.holders());
                default -> perform(action);
            }
        }
        wake(turn.wakeUp());
        if (++handled % MEMORY_EVERY == 0) {
            world.judge.memory(member, entries());
        }
    }

    /** As {@link #handle}, once the current event is done. */
    final void soon(Event event) {
        later(0, () -> handle(event));
    }

    abstract void perform(Action action);

    abstract int entries();

    /** A message of the watch: nobody acknowledges or repeats it. */
    final void onWord(WorkerId from, Message.WatchMessage word) {
        known.add(from);
        connected.add(from);
        handle(new Event.Received(from, word));
    }

    final void onFrame(WorkerId from, ReliableLink.Frame<Message> frame) {
        known.add(from);
        connected.add(from);
        ReliableLink<Message> link = link(from);
        ReliableLink.Arrival<Message> arrival = link.onFrame(frame, now());
        arrival.reply().forEach(reply -> world.frame(member.id(), from, reply));
        world.judge.link(member, link.outstanding(), link.early(), world.tempo.links());
        timer(from, link);
        arrival.acknowledged().ifPresent(sentAt -> handle(new Event.Acknowledged(from, sentAt)));
        for (Message message : arrival.delivered()) {
            handle(new Event.Received(from, message));
        }
    }

    /** A node reached this one on a connection of its own. */
    final void reachedBy(WorkerId stranger) {
        known.add(stranger);
    }

    private void send(WorkerId to, Message message) {
        if (!known.contains(to)) {
            world.judge.violated(member.name() + " sends to " + to + ", whom it does not know: " + message);
            return;
        }
        if (member.role() == WorkerRole.DAEMON) {
            world.ledger.sent();
        }
        connected.add(to);
        if (message instanceof Message.WatchMessage word) {
            world.word(member.id(), to, word);
            return;
        }
        ReliableLink<Message> link = link(to);
        try {
            Message carried = world.wiring.sent(message);
            world.judge.sent(member, to, carried);
            world.perturbator().sends(this, carried);
            world.frame(member.id(), to, link.send(carried, now()));
            world.perturbator().sent(this, carried);
        } catch (OutboxFullException full) {
            world.judge.refused();
        }
        timer(to, link);
    }

    /** Whether there is a connection to this node. */
    final boolean isConnectedTo(WorkerId peer) {
        return connected.contains(peer);
    }

    private ReliableLink<Message> link(WorkerId peer) {
        return links.computeIfAbsent(
                peer, id -> new ReliableLink<>(id.toString(), world.tempo.links(), world.tempo.retransmission()));
    }

    private void timer(WorkerId peer, ReliableLink<Message> link) {
        if (link.wakeUp() != Long.MAX_VALUE && timers.add(peer)) {
            at(link.wakeUp(), () -> {
                timers.remove(peer);
                List<ReliableLink.Frame<Message>> again = link.tick(now());
                again.forEach(frame -> world.frame(member.id(), peer, frame));
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
                    handle(new Event.Tick());
                }
            });
        }
    }
}

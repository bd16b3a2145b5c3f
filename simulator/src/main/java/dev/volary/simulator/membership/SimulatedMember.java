// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.membership.FailureDetector;
import dev.volary.protocol.membership.MemberList;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.model.FailureVerdict;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/** One process's part in one group. */
final class SimulatedMember {
    final SimulatedProcess process;
    final SimulatedGroup group;
    private final FailureDetector watch;
    private long timerAt = Long.MAX_VALUE;
    private boolean closed;

    SimulatedMember(SimulatedProcess process, SimulatedGroup group, FailureDetector watch) {
        this.process = process;
        this.group = group;
        this.watch = watch;
    }

    void members(MemberList members) {
        handle(turn -> watch.members(members, turn));
    }

    void received(SimulatedMember from, MembershipMessage.PeerMessage message) {
        process.received++;
        from.process.lastSign = Math.max(from.process.lastSign, group.world.agenda.now());
        handle(turn -> watch.received(from.process.id, message, turn));
    }

    void reset(SimulatedMember peer) {
        handle(turn -> watch.connectionReset(peer.process.id, turn));
    }

    void hinted(SimulatedMember peer) {
        handle(turn -> watch.hinted(peer.process.id, turn.now()));
    }

    /** Other control traffic was sent to a peer; if it gets through, it is heard and acknowledged. */
    void talk(SimulatedMember peer, boolean getsThrough) {
        handle(turn -> watch.sentTo(peer.process.id, turn.now()));
        long sentAt = process.clock();
        long delay = group.world.faults.delay().toNanos();
        if (getsThrough) {
            group.world.agenda.after(
                    delay,
                    () -> peer.handle(turn -> {
                        peer.watch.heardFrom(process.id, turn.now());
                        group.world.agenda.after(
                                delay, () -> handle(later -> watch.receivedBy(peer.process.id, sentAt, later.now())));
                    }));
        }
    }

    /** Asks the watch something, or changes what it says. */
    void with(ObjLongConsumer<FailureDetector> what) {
        handle(turn -> what.accept(watch, turn.now()));
    }

    void tick() {
        handle(turn -> {});
    }

    /** Takes no part any more. */
    void close() {
        closed = true;
    }

    int entries() {
        return watch.entries();
    }

    private void handle(Consumer<Turn> event) {
        process.run(() -> {
            if (closed) {
                return;
            }
            DaemonTurn turn = new DaemonTurn(process.clock());
            event.accept(turn);
            List<FailureVerdict> verdicts = watch.tick(turn);
            for (DaemonAction action : turn.actions()) {
                if (action instanceof WorkerAction.Send send
                        && send.message() instanceof MembershipMessage.PeerMessage message) {
                    group.send(this, send.to(), message);
                }
            }
            wakeAt(turn.wakeUp());
            if (!verdicts.isEmpty()) {
                group.declared(this, verdicts);
            }
        });
    }

    private void wakeAt(long clock) {
        long wait = process.until(clock);
        if (wait == Long.MAX_VALUE) {
            return;
        }
        long at = group.world.agenda.now() + Math.max(0, wait);
        if (at < timerAt || timerAt <= group.world.agenda.now()) {
            timerAt = at;
            group.world.agenda.after(Math.max(0, wait), () -> {
                if (timerAt == at) {
                    timerAt = Long.MAX_VALUE;
                    tick();
                }
            });
        }
    }
}

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

/** The membership of one process in one group. */
final class SimulatedMember {
    final SimulatedProcess process;
    final SimulatedGroup group;
    private final FailureDetector detector;
    private long timerAt = Long.MAX_VALUE;
    private boolean closed;

    SimulatedMember(SimulatedProcess process, SimulatedGroup group, FailureDetector detector) {
        this.process = process;
        this.group = group;
        this.detector = detector;
    }

    void members(MemberList members) {
        handle(turn -> detector.updateMembers(members, turn));
    }

    void received(SimulatedMember from, MembershipMessage.PeerMessage message) {
        process.received++;
        from.process.lastSign = Math.max(from.process.lastSign, group.simulation.queue.now());
        handle(turn -> detector.received(from.process.id, message, turn));
    }

    void reset(SimulatedMember peer) {
        handle(turn -> detector.connectionReset(peer.process.id, turn));
    }

    void hinted(SimulatedMember peer) {
        handle(turn -> detector.hinted(peer.process.id, turn.now()));
    }

    /** Other control traffic was sent to a peer; if it gets through, it is received and acknowledged. */
    void talk(SimulatedMember peer, boolean getsThrough) {
        handle(turn -> detector.sentTo(peer.process.id, turn.now()));
        long sentAt = process.clock();
        long delay = group.simulation.faults.delay().toNanos();
        if (getsThrough) {
            group.simulation.queue.after(
                    delay,
                    () -> peer.handle(turn -> {
                        peer.detector.receivedFrom(process.id, turn.now());
                        group.simulation.queue.after(
                                delay,
                                () -> handle(later -> detector.acknowledgedBy(peer.process.id, sentAt, later.now())));
                    }));
        }
    }

    /** Calls the detector. */
    void with(ObjLongConsumer<FailureDetector> what) {
        handle(turn -> what.accept(detector, turn.now()));
    }

    void tick() {
        handle(turn -> {});
    }

    /** Stops taking part in the group. */
    void close() {
        closed = true;
    }

    int entries() {
        return detector.entries();
    }

    private void handle(Consumer<Turn> event) {
        process.run(() -> {
            if (closed) {
                return;
            }
            DaemonTurn turn = new DaemonTurn(process.clock());
            event.accept(turn);
            List<FailureVerdict> verdicts = detector.tick(turn);
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
        long at = group.simulation.queue.now() + Math.max(0, wait);
        if (at < timerAt || timerAt <= group.simulation.queue.now()) {
            timerAt = at;
            group.simulation.queue.after(Math.max(0, wait), () -> {
                if (timerAt == at) {
                    timerAt = Long.MAX_VALUE;
                    tick();
                }
            });
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.watch;

import dev.volary.protocol.Action;
import dev.volary.protocol.FailureVerdict;
import dev.volary.protocol.Message.WatchMessage;
import dev.volary.protocol.Turn;
import dev.volary.protocol.watch.FailureDetector;
import dev.volary.protocol.watch.MemberList;
import java.util.List;
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
        handle((out, now) -> watch.members(members, out, now));
    }

    void received(SimulatedMember from, WatchMessage message) {
        process.received++;
        from.process.lastSign = Math.max(from.process.lastSign, group.world.agenda.now());
        handle((out, now) -> watch.received(from.process.id, message, out, now));
    }

    void reset(SimulatedMember peer) {
        handle((out, now) -> watch.connectionReset(peer.process.id, out, now));
    }

    void hinted(SimulatedMember peer) {
        handle((out, now) -> watch.hinted(peer.process.id, now));
    }

    /** Other control traffic was sent to a peer; if it gets through, it is heard and acknowledged. */
    void talk(SimulatedMember peer, boolean getsThrough) {
        handle((out, now) -> watch.sentTo(peer.process.id, now));
        long sentAt = process.clock();
        long delay = group.world.faults.delay().toNanos();
        if (getsThrough) {
            group.world.agenda.after(
                    delay,
                    () -> peer.handle((out, now) -> {
                        peer.watch.heardFrom(process.id, now);
                        group.world.agenda.after(
                                delay, () -> handle((o, later) -> watch.receivedBy(peer.process.id, sentAt, later)));
                    }));
        }
    }

    /** Asks the watch something, or changes what it says. */
    void with(ObjLongConsumer<FailureDetector> what) {
        handle((out, now) -> what.accept(watch, now));
    }

    void tick() {
        handle((out, now) -> {});
    }

    /** Takes no part any more. */
    void close() {
        closed = true;
    }

    int entries() {
        return watch.entries();
    }

    private void handle(ObjLongConsumer<Turn> event) {
        process.run(() -> {
            if (closed) {
                return;
            }
            Turn out = new Turn();
            long now = process.clock();
            event.accept(out, now);
            List<FailureVerdict> verdicts = watch.tick(out, now);
            for (Action action : out.list()) {
                if (action instanceof Action.Send send && send.message() instanceof WatchMessage message) {
                    group.send(this, send.to(), message);
                }
            }
            wakeAt(out.wakeUp());
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

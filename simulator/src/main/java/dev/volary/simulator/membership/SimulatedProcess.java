// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.membership;

import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.engine.EventQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A worker process: its clock, its pauses and its end; a member of one group or, as a spawner, of two. */
final class SimulatedProcess {
    /** How fast the fastest clock runs against the slowest, at most. */
    private static final double DRIFT = 1e-3;

    final WorkerId id;
    final String zone;
    final List<SimulatedMember> memberships = new ArrayList<>();
    long sent;
    long received;
    /** When a message from it was last received. */
    long lastSign;
    /** Whether it may be declared dead, though it lives. */
    boolean excused;

    /** Whether it was paused. */
    boolean disturbed;

    private final EventQueue queue;
    private final SplittableRandom random;
    private final double rate;
    private final long offset;
    private final ArrayDeque<Runnable> backlog = new ArrayDeque<>();
    private boolean alive = true;
    private boolean hostAlive = true;
    private long pausedUntil;

    SimulatedProcess(WorkerId id, String zone, EventQueue queue, SplittableRandom random) {
        this.id = id;
        this.zone = zone;
        this.queue = queue;
        this.random = random;
        this.rate = 1 + DRIFT * (random.nextDouble() - 0.5);
        this.offset = random.nextLong(1_000_000_000_000L);
    }

    /** What its clock shows. */
    long clock() {
        return offset + (long) (queue.now() * rate);
    }

    /** How long to wait for its clock to show this. */
    long until(long clock) {
        return clock == Long.MAX_VALUE ? Long.MAX_VALUE : (long) Math.ceil((clock - clock()) / rate) + 1;
    }

    /** Does something now, or after the pause, or never. */
    void run(Runnable what) {
        if (!alive) {
            return;
        }
        if (queue.now() < pausedUntil) {
            backlog.add(what);
        } else {
            what.run();
        }
    }

    /** Stops for a while. What arrives meanwhile waits; sometimes the timers come first. */
    void pause(long nanos) {
        if (queue.now() < pausedUntil) {
            return;
        }
        disturbed = true;
        pausedUntil = queue.now() + nanos;
        queue.after(nanos, () -> {
            if (random.nextBoolean()) {
                memberships.forEach(member -> run(member::tick));
            }
            while (!backlog.isEmpty() && alive) {
                backlog.removeFirst().run();
            }
        });
    }

    /** Ends; its host refuses connections from now on, or fails too. */
    void end(boolean withHost) {
        alive = false;
        hostAlive = !withHost;
        backlog.clear();
    }

    boolean alive() {
        return alive;
    }

    /** Whether a message to it is answered with a reset. */
    boolean refuses() {
        return !alive && hostAlive;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import dev.volary.simulator.engine.EventQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The clock of a simulated cluster. Time passes only while events are handled, and while a request is under way. */
public final class VirtualTime {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final EventQueue queue = new EventQueue();
    private Duration skipped = Duration.ZERO;
    private final Clock clock = new Clock() {
        @Override
        public Instant instant() {
            return now();
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    };

    /** The current time. */
    public Instant now() {
        return START.plusNanos(queue.now()).plus(skipped);
    }

    /** Time since the start of the simulation, without skipped time. */
    public Duration elapsed() {
        return Duration.ofNanos(queue.now());
    }

    /** A clock that shows this time. */
    public Clock clock() {
        return clock;
    }

    /** The clocks show a later time at once: a time in which nothing happens need not be simulated. What is planned stays planned. */
    public void skip(Duration quiet) {
        skipped = skipped.plus(quiet);
    }

    /** Plans something. */
    public void after(Duration delay, Runnable what) {
        queue.after(delay.toNanos(), what);
    }

    /** Plans something that is repeated as long as it returns true. */
    public void every(Duration interval, java.util.function.BooleanSupplier what) {
        after(interval, () -> {
            if (what.getAsBoolean()) {
                every(interval, what);
            }
        });
    }

    /**
     * Lets time pass, and handles what is due meanwhile. May be called while an event is handled: that is how other processes act
     * while a request is under way.
     */
    public void pass(Duration duration) {
        boolean[] over = {false};
        after(duration, () -> over[0] = true);
        while (!over[0]) {
            queue.step();
        }
    }
}

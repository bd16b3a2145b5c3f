// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.control;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what the control loop sends. */
final class ControlTally {
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong watch = new AtomicLong();

    void message() {
        messages.incrementAndGet();
    }

    void watch() {
        messages.incrementAndGet();
        watch.incrementAndGet();
    }

    ControlTelemetry telemetry() {
        return new ControlTelemetry(messages.get(), watch.get());
    }
}

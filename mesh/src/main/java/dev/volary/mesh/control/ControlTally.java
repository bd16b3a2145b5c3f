// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.control;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what the control loop sends. */
final class ControlTally {
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong failureDetection = new AtomicLong();

    void countMessage() {
        messages.incrementAndGet();
    }

    void countFailureDetection() {
        messages.incrementAndGet();
        failureDetection.incrementAndGet();
    }

    ControlTelemetry telemetry() {
        return new ControlTelemetry(messages.get(), failureDetection.get());
    }
}

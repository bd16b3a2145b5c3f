// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.control;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what the control loop sends and refuses. */
final class ControlTally {
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong failureDetection = new AtomicLong();

    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong dials = new AtomicLong();
    private volatile int peers;

    void countMessage() {
        messages.incrementAndGet();
    }

    void countFailureDetection() {
        messages.incrementAndGet();
        failureDetection.incrementAndGet();
    }

    void countRefused() {
        refused.incrementAndGet();
    }

    void countDial() {
        dials.incrementAndGet();
    }

    void setPeers(int number) {
        peers = number;
    }

    ControlTelemetry telemetry() {
        return new ControlTelemetry(messages.get(), failureDetection.get(), refused.get(), dials.get(), peers);
    }
}

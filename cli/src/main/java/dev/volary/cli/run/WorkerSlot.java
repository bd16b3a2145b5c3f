// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.protocol.WorkerRole;
import java.util.Optional;

/**
 * One worker's place in a local run, where processes come and go, each under an identity of its own. Confined to the run's
 * thread.
 */
final class WorkerSlot {
    private final WorkerRole role;
    private final String zone;
    private final int port;
    private final boolean isStandby;
    private final RestartPolicy rule = new RestartPolicy();
    private Optional<WorkerProcess> process = Optional.empty();
    private Optional<String> earlier = Optional.empty();
    private Optional<String> reason = Optional.empty();
    private boolean isUp;
    private boolean isPaused;
    private boolean isStruck;

    /**
     * An empty place.
     *
     * @param zone simulated failure domain; empty for none
     * @param port the first of two to listen on; 0 for any
     * @param isStandby whether its first worker is not needed to begin
     */
    WorkerSlot(WorkerRole role, String zone, int port, boolean isStandby) {
        this.role = role;
        this.zone = zone;
        this.port = port;
        this.isStandby = isStandby;
    }

    WorkerRole role() {
        return role;
    }

    String zone() {
        return zone;
    }

    int port() {
        return port;
    }

    boolean isStandby() {
        return isStandby;
    }

    RestartPolicy rule() {
        return rule;
    }

    /** The process that has the place now. */
    Optional<WorkerProcess> process() {
        return process;
    }

    /** The latest worker here that is no more. */
    Optional<String> earlier() {
        return earlier;
    }

    /** Why the process said that it cannot go on. */
    Optional<String> reason() {
        return reason;
    }

    boolean isUp() {
        return isUp;
    }

    boolean isPaused() {
        return isPaused;
    }

    /** Whether the perturbator has hit the process. */
    boolean isStruck() {
        return isStruck;
    }

    void started(WorkerProcess next) {
        process = Optional.of(next);
        reason = Optional.empty();
        isUp = false;
        isPaused = false;
        isStruck = false;
        rule.started();
    }

    void up() {
        isUp = true;
        rule.up();
    }

    void unable(String why) {
        reason = Optional.of(why);
    }

    void struck(boolean pauses) {
        isStruck = true;
        isPaused = pauses;
    }

    void resumed() {
        isStruck = false;
        isPaused = false;
    }

    void ended(long now) {
        rule.ended(reason.isPresent(), now);
        earlier = process.map(WorkerProcess::name);
        process = Optional.empty();
        isUp = false;
        isPaused = false;
    }
}

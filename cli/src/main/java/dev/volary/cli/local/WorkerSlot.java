// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.protocol.model.WorkerRole;
import java.util.Optional;

/**
 * The slot of one worker in a local run, filled by one process after another, each with its own identity. Confined to the
 * thread of the run.
 */
final class WorkerSlot {
    private final WorkerRole role;
    private final String zone;
    private final int port;
    private final boolean isStandby;
    private final RestartPolicy restartPolicy = new RestartPolicy();
    private Optional<WorkerProcess> process = Optional.empty();
    private Optional<String> predecessor = Optional.empty();
    private Optional<String> reason = Optional.empty();
    private boolean isReady;
    private boolean isPaused;
    private boolean hasFault;

    /**
     * An empty slot.
     *
     * @param zone simulated failure domain; empty for none
     * @param port first of the two ports to listen on; 0 for any free ports
     * @param isStandby whether its first worker is a standby
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

    RestartPolicy restartPolicy() {
        return restartPolicy;
    }

    /** The process in this slot. */
    Optional<WorkerProcess> process() {
        return process;
    }

    /** Name of the last worker that ended in this slot. */
    Optional<String> predecessor() {
        return predecessor;
    }

    /** Why the process reported that it cannot continue. */
    Optional<String> reason() {
        return reason;
    }

    boolean isReady() {
        return isReady;
    }

    boolean isPaused() {
        return isPaused;
    }

    /** Whether fault injection ended or paused the process. */
    boolean hasFault() {
        return hasFault;
    }

    void started(WorkerProcess next) {
        process = Optional.of(next);
        reason = Optional.empty();
        isReady = false;
        isPaused = false;
        hasFault = false;
        restartPolicy.started();
    }

    void ready() {
        isReady = true;
        restartPolicy.ready();
    }

    void unable(String why) {
        reason = Optional.of(why);
    }

    void faultInjected(boolean isPause) {
        hasFault = true;
        isPaused = isPause;
    }

    void continued() {
        hasFault = false;
        isPaused = false;
    }

    void ended(long now) {
        restartPolicy.ended(reason.isPresent(), now);
        predecessor = process.map(WorkerProcess::name);
        process = Optional.empty();
        isReady = false;
        isPaused = false;
    }
}

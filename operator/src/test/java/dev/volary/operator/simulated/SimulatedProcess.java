// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import dev.volary.mesh.v1.StatusReply;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A worker process in a pod. */
public final class SimulatedProcess {
    private final String podUid;
    private final String pod;
    private final boolean isSpawner;
    private final String address;
    private final String authority;
    private final String job;
    private boolean isAlive = true;
    private boolean isCutOff;
    private Instant silentUntil = Instant.MIN;
    private Instant outdatedUntil = Instant.MIN;
    private @Nullable StatusReply outdated;

    SimulatedProcess(String podUid, String pod, boolean isSpawner, String address, String authority, String job) {
        this.podUid = podUid;
        this.pod = pod;
        this.isSpawner = isSpawner;
        this.address = address;
        this.authority = authority;
        this.job = job;
    }

    String podUid() {
        return podUid;
    }

    /** The name of its pod. */
    public String pod() {
        return pod;
    }

    boolean isSpawner() {
        return isSpawner;
    }

    String address() {
        return address;
    }

    String authority() {
        return authority;
    }

    /** The UID of its job, as the job description says. */
    public String job() {
        return job;
    }

    boolean isAlive() {
        return isAlive;
    }

    void end() {
        isAlive = false;
    }

    void cutOff(boolean now) {
        isCutOff = now;
    }

    boolean isCutOff() {
        return isCutOff;
    }

    /** It answers no request until then. */
    public void silence(Instant until) {
        silentUntil = until;
    }

    /** Until then, it reports what it reports next. */
    public void outdate(Instant until) {
        outdatedUntil = until;
        outdated = null;
    }

    boolean answers(Instant now) {
        return isAlive && !isCutOff && !now.isBefore(silentUntil);
    }

    /** The reply, or an earlier one while it is cut off from the other spawners. */
    StatusReply reply(StatusReply newest, Instant now) {
        if (!now.isBefore(outdatedUntil)) {
            outdated = null;
            return newest;
        }
        if (outdated == null) {
            outdated = newest;
        }
        return outdated;
    }

    int serial() {
        return Integer.parseInt(pod.substring(pod.lastIndexOf('-') + 1));
    }
}

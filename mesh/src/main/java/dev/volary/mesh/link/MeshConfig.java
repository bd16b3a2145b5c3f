// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.link;

import dev.volary.mesh.fault.NetworkFaults;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.time.Duration;

/**
 * How a worker takes part in its job's mesh.
 *
 * @param node this process
 * @param role what it does
 * @param machine it runs on
 * @param zone failure domain; empty if unknown
 * @param cores processors it may use
 * @param memoryBytes heap it may fill with blocks
 * @param host name or literal address that others can reach
 * @param listen address to listen on: {@code host}, or empty for all interfaces
 * @param port TCP port for control connections, 0 for any free one
 * @param bulkPort TCP port for bulk connections, 0 for any free one
 * @param problemHash of the problem; only workers with the same hash are accepted
 * @param bulkShare largest share of one core that the bulk event loop may take while computing is busy, {@code 0 < x <= 1};
 *     0 switches pacing off
 * @param maxFrameBytes largest frame accepted
 * @param connectTimeout how long one attempt to reach a worker may take
 * @param keepAlive how long a connection may be silent before it is probed
 * @param forgetAfter how long a worker that is no longer needed is dialed before it is forgotten
 * @param faults to inject
 * @param seed of the faults
 */
public record MeshConfig(
        WorkerId node,
        WorkerRole role,
        String machine,
        String zone,
        int cores,
        long memoryBytes,
        String host,
        String listen,
        int port,
        int bulkPort,
        long problemHash,
        double bulkShare,
        int maxFrameBytes,
        Duration connectTimeout,
        Duration keepAlive,
        Duration forgetAfter,
        NetworkFaults faults,
        long seed) {

    /** Part of a core that halo traffic may take by default. */
    public static final double DEFAULT_BULK_SHARE = 0.2;

    private static final int MAX_FRAME_BYTES = 256 << 20;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);
    /** A worker that was cut off and declared dead by mistake gets its eviction at once if the cut ends within this time. */
    private static final Duration FORGET_AFTER = Duration.ofSeconds(30);

    public MeshConfig {
        requirePort("port", port);
        requirePort("bulkPort", bulkPort);
        if (!(bulkShare >= 0 && bulkShare <= 1)) {
            throw new IllegalArgumentException(
                    "bulkShare is " + bulkShare + ", must be in 0..1 (0 switches pacing off)");
        }
        if (maxFrameBytes < 1024) {
            throw new IllegalArgumentException("maxFrameBytes is " + maxFrameBytes + ", must be at least 1024");
        }
    }

    /** Any free ports of {@code host}, default pacing, frames up to 256 MiB, no faults, unless the builder is given other values. */
    public static Builder builder(WorkerId node, WorkerRole role, String host, long problemHash) {
        return new Builder(node, role, host, problemHash);
    }

    private static void requirePort(String name, int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException(name + " is " + port + ", must be in 0..65535 (0 for any free port)");
        }
    }

    /** Collects what differs from the defaults. */
    public static final class Builder {
        private final WorkerId node;
        private final WorkerRole role;
        private final String host;
        private final long problemHash;
        private String machine;
        private String zone = "";
        private int cores = 1;
        private long memoryBytes;
        private boolean allInterfaces;
        private int port;
        private int bulkPort;
        private double bulkShare = DEFAULT_BULK_SHARE;
        private Duration connectTimeout = CONNECT_TIMEOUT;
        private Duration forgetAfter = FORGET_AFTER;
        private NetworkFaults faults = NetworkFaults.NONE;
        private long seed;

        private Builder(WorkerId node, WorkerRole role, String host, long problemHash) {
            this.node = node;
            this.role = role;
            this.host = host;
            this.machine = host;
            this.problemHash = problemHash;
        }

        /** What other workers learn of this one. */
        public Builder machine(String newZone, int newCores, long newMemoryBytes) {
            zone = newZone;
            cores = newCores;
            memoryBytes = newMemoryBytes;
            return this;
        }

        /** The machine that this worker runs on, if its address is not the machine's. */
        public Builder on(String newMachine) {
            machine = newMachine;
            return this;
        }

        /** Given ports; 0 for any free one. */
        public Builder ports(int control, int bulk) {
            port = control;
            bulkPort = bulk;
            return this;
        }

        /** Whether to listen on all interfaces, as in a pod, where a forwarded port ends on loopback. */
        public Builder allInterfaces(boolean all) {
            allInterfaces = all;
            return this;
        }

        /** Another share of a core for the bulk event loop; 0 switches pacing off. */
        public Builder bulkShare(double share) {
            bulkShare = share;
            return this;
        }

        /** Other times than the defaults for an attempt to reach a worker, and for dialing one that is no longer needed. */
        public Builder timeouts(Duration connect, Duration forget) {
            connectTimeout = connect;
            forgetAfter = forget;
            return this;
        }

        /** Injects faults, drawn from this seed. */
        public Builder faults(NetworkFaults injected, long newSeed) {
            faults = injected;
            seed = newSeed;
            return this;
        }

        /** @throws IllegalArgumentException naming a value that is out of range */
        public MeshConfig build() {
            return new MeshConfig(
                    node,
                    role,
                    machine,
                    zone,
                    cores,
                    memoryBytes,
                    host,
                    allInterfaces ? "" : host,
                    port,
                    bulkPort,
                    problemHash,
                    bulkShare,
                    MAX_FRAME_BYTES,
                    connectTimeout,
                    KEEP_ALIVE,
                    forgetAfter,
                    faults,
                    seed);
        }
    }
}

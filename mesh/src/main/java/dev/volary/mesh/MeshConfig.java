package dev.volary.mesh;

import dev.volary.mesh.fault.Faults;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Role;
import java.time.Duration;

/**
 * How a worker takes part in its job's mesh.
 *
 * @param node this process
 * @param role what it does
 * @param zone failure domain; empty if unknown
 * @param cores processors it may use
 * @param memoryBytes heap it may fill with blocks
 * @param host name or literal address to listen on, which others can reach
 * @param port TCP port for control connections, 0 for any free one
 * @param bulkPort TCP port for bulk connections, 0 for any free one
 * @param problemHash of the problem; only workers with the same hash are accepted
 * @param bulkShare largest share of one core that the bulk event loop may take while computing is busy, {@code 0 < x <= 1};
 *     0 switches pacing off
 * @param maxFrameBytes largest frame accepted
 * @param connectTimeout how long one attempt to reach a worker may take
 * @param keepAlive how long a connection may be silent before it is probed
 * @param faults to inject
 * @param seed of the faults
 */
public record MeshConfig(
        NodeId node,
        Role role,
        String zone,
        int cores,
        long memoryBytes,
        String host,
        int port,
        int bulkPort,
        long problemHash,
        double bulkShare,
        int maxFrameBytes,
        Duration connectTimeout,
        Duration keepAlive,
        Faults faults,
        long seed) {

    /** Part of a core that halo traffic may take by default. */
    public static final double DEFAULT_BULK_SHARE = 0.2;

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

    /** Any free ports of {@code host}, default pacing, frames up to 256 MiB, no faults. */
    public static MeshConfig of(NodeId node, Role role, String host, long problemHash) {
        return new MeshConfig(
                node,
                role,
                "",
                1,
                0,
                host,
                0,
                0,
                problemHash,
                DEFAULT_BULK_SHARE,
                256 << 20,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Faults.NONE,
                0);
    }

    /** What others are told of this worker. */
    public MeshConfig withMachine(String newZone, int newCores, long newMemoryBytes) {
        return new MeshConfig(
                node,
                role,
                newZone,
                newCores,
                newMemoryBytes,
                host,
                port,
                bulkPort,
                problemHash,
                bulkShare,
                maxFrameBytes,
                connectTimeout,
                keepAlive,
                faults,
                seed);
    }

    /** Given ports; 0 for any free one. */
    public MeshConfig withPorts(int control, int bulk) {
        return new MeshConfig(
                node,
                role,
                zone,
                cores,
                memoryBytes,
                host,
                control,
                bulk,
                problemHash,
                bulkShare,
                maxFrameBytes,
                connectTimeout,
                keepAlive,
                faults,
                seed);
    }

    /** Another share of a core for the bulk event loop; 0 switches pacing off. */
    public MeshConfig withBulkShare(double share) {
        return new MeshConfig(
                node,
                role,
                zone,
                cores,
                memoryBytes,
                host,
                port,
                bulkPort,
                problemHash,
                share,
                maxFrameBytes,
                connectTimeout,
                keepAlive,
                faults,
                seed);
    }

    /** Injects faults, drawn from this seed. */
    public MeshConfig withFaults(Faults injected, long newSeed) {
        return new MeshConfig(
                node,
                role,
                zone,
                cores,
                memoryBytes,
                host,
                port,
                bulkPort,
                problemHash,
                bulkShare,
                maxFrameBytes,
                connectTimeout,
                keepAlive,
                injected,
                newSeed);
    }

    private static void requirePort(String name, int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException(name + " is " + port + ", must be in 0..65535 (0 for any free port)");
        }
    }
}

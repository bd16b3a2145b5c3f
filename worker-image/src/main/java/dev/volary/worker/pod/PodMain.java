// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.arbiter.ApiServer;
import dev.volary.mesh.arbiter.Arbiter;
import dev.volary.mesh.arbiter.LeaseArbiter;
import dev.volary.mesh.arbiter.MemoryArbiter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Security;
import java.time.Clock;

/**
 * The worker program of a pod: the same worker as in local mode, with the cluster around it. The environment says who it is
 * ({@link PodSettings}); SIGTERM means leaving.
 */
public final class PodMain {
    private static final String DIRECT_MEMORY = "io.grpc.netty.shaded.io.netty.maxDirectMemory";

    /** What is in it goes into the pod's status. */
    private static final Path TERMINATION_LOG = Path.of("/dev/termination-log");

    private PodMain() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        PrintStream console = System.out;
        // Spawners' addresses change; the JVM's own cache would remember a dead one for half a minute.
        Security.setProperty("networkaddress.cache.ttl", "1");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        JsonLog log = new JsonLog(console, System.getenv().getOrDefault("VOLARY_NAME", "worker"), Clock.systemUTC());
        log.takeOver();
        int status = 1;
        try {
            limitDirectMemory();
            PodSettings settings = PodSettings.of(System.getenv());
            try (PodWorker worker = new PodWorker(settings, arbiter(settings), log)) {
                status = worker.run();
            }
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            log.error("the worker cannot start: " + e.getMessage());
        } catch (RuntimeException e) {
            e.printStackTrace();
            log.error("the worker failed: " + e + "; this is a defect");
        } catch (InterruptedException e) {
            log.error("the worker was interrupted");
        }
        if (status == 1) {
            writeTerminationReason(log.newestError());
        }
        Runtime.getRuntime().halt(status);
    }

    /** Ends the process as SIGKILL would. */
    static void halt() {
        Runtime.getRuntime().halt(128 + 9);
    }

    private static void writeTerminationReason(String reason) {
        if (Files.isWritable(TERMINATION_LOG)) {
            try {
                Files.writeString(TERMINATION_LOG, reason);
            } catch (IOException e) {
                System.err.println("the pod's status will not say why: " + e);
            }
        }
    }

    /** Spawners use the Lease; daemons need no arbiter. */
    private static Arbiter arbiter(PodSettings settings) throws IOException {
        return settings.lease().isPresent()
                ? new LeaseArbiter(
                        ApiServer.ofPod(System.getenv()), settings.lease().get(), Clock.systemUTC())
                : new MemoryArbiter();
    }

    /** An eighth of the container's memory; the JVM's own bound would be as large as the heap. */
    private static void limitDirectMemory() throws IOException {
        String limit = System.getenv().getOrDefault("VOLARY_MEMORY", "");
        if (!limit.isBlank() && System.getProperty(DIRECT_MEMORY) == null) {
            try {
                System.setProperty(DIRECT_MEMORY, Long.toString(Long.parseLong(limit.strip()) / 8));
            } catch (NumberFormatException e) {
                throw new IOException("VOLARY_MEMORY is '" + limit + "', must be a number of bytes", e);
            }
        }
    }
}

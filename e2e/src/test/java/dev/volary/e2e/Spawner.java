// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import com.google.gson.JsonElement;
import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.protocol.model.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A spawner's own service, asked with the job's authority: at its pod's address on a test bed, through the API server elsewhere.
 */
record Spawner(SpawnerClient client, ApiChannels dialer, Optional<Process> forward) implements AutoCloseable {
    private static final int CONTROL = 7400;

    static Spawner of(ClusterJob job, String pod) throws IOException, GeneralSecurityException, InterruptedException {
        Identity identity = job.authority().issue("operator", "operator");
        Optional<Process> forward = Testbed.isThere() ? Optional.empty() : Optional.of(forward(job, pod));
        ApiChannels dialer = new ApiChannels("spawner");
        try {
            Address address = forward.isPresent()
                    ? new Address("127.0.0.1", port(forward.get().inputReader()))
                    : new Address(address(job, pod), CONTROL);
            return new Spawner(dialer.spawner(address, identity), dialer, forward);
        } catch (IOException | InterruptedException e) {
            dialer.close();
            forward.ifPresent(Process::destroy);
            throw e;
        }
    }

    private static Process forward(ClusterJob job, String pod) throws IOException {
        return Kubectl.start(
                "-n", job.namespace(), "port-forward", "pod/" + pod, ":" + CONTROL, "--address", "127.0.0.1");
    }

    private static String address(ClusterJob job, String pod) throws IOException, InterruptedException {
        JsonElement address = job.pod(pod).getAsJsonObject("status").get("podIP");
        if (address == null) {
            throw new IOException(pod + " has no address yet");
        }
        return address.getAsString();
    }

    /** Out of "Forwarding from 127.0.0.1:40123 -> 7400". */
    private static int port(BufferedReader said) throws IOException {
        String line = said.readLine();
        if (line == null || !line.contains(" ->")) {
            throw new IOException("kubectl port-forward said: " + line);
        }
        String address = line.substring(0, line.indexOf(" ->"));
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Asks until an answer is as wanted. The moment may last for some hundred milliseconds, and each call is answered in a few. */
    StatusReply awaitStatus(Predicate<StatusReply> wanted) {
        long deadline = System.nanoTime() + ClusterJob.PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            try {
                StatusReply reply = client.status(0);
                if (wanted.test(reply)) {
                    return reply;
                }
            } catch (IOException late) {
                // a busy machine answers too late now and then
            }
        }
        throw new AssertionError("no spawner's status is as wanted within " + ClusterJob.PATIENCE);
    }

    /** Whether the newest snapshot has been certified, within the tolerance. */
    static boolean isWithinTolerance(StatusReply status) {
        return status.getSid() > 0 && status.getResidual() <= status.getTolerance();
    }

    @Override
    public void close() {
        client.close();
        dialer.close();
        forward.ifPresent(Process::destroy);
    }
}

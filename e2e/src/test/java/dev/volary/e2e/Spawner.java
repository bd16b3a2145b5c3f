package dev.volary.e2e;

import com.google.gson.JsonObject;
import dev.volary.mesh.job.Dialer;
import dev.volary.mesh.job.SpawnerClient;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.protocol.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;

/** A spawner's own service, reached through the API server as a user reaches it: with the job's authority. */
record Spawner(SpawnerClient client, Dialer dialer, Process forward) implements AutoCloseable {
    private static final int CONTROL = 7400;

    static Spawner of(ClusterJob job, String pod) throws IOException, GeneralSecurityException, InterruptedException {
        JsonObject secret = Kubectl.json("-n", job.namespace(), "get", "secret", job.name() + "-ca")
                .getAsJsonObject("data");
        CertificateAuthority authority = CertificateAuthority.of(
                job.namespace(), job.name(), decoded(secret, "ca.crt"), decoded(secret, "ca.key"));
        Process forward = Kubectl.start(
                "-n", job.namespace(), "port-forward", "pod/" + pod, ":" + CONTROL, "--address", "127.0.0.1");
        Dialer dialer = new Dialer("spawner");
        try {
            Address address = new Address("127.0.0.1", port(forward.inputReader()));
            return new Spawner(dialer.spawner(address, authority.issue("operator", "operator")), dialer, forward);
        } catch (IOException | GeneralSecurityException e) {
            dialer.close();
            forward.destroy();
            throw e;
        }
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

    private static String decoded(JsonObject data, String key) {
        return new String(Base64.getDecoder().decode(data.get(key).getAsString()), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        client.close();
        dialer.close();
        forward.destroy();
    }
}

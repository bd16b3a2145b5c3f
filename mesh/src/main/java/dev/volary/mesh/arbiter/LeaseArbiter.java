// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.arbiter;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.volary.protocol.machine.LeaderElectionRecord;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * The arbiter of a job on a cluster: its Lease ({@code coordination.k8s.io/v1}), by plain HTTPS. {@link LeaseRecord} says how
 * the record stands in it; the resource version makes the compare-and-set. The operator makes
 * the Lease; one that is not there is a failure like any other, to be tried again. Confined to one thread.
 */
public final class LeaseArbiter implements Arbiter {
    /** Annotation of the Lease that names the members of the leader's log. */
    public static final String MEMBERS = "volary.dev/log-members";

    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final ApiServer server;
    private final URI lease;
    private final Clock clock;
    private Optional<HttpClient> client = Optional.empty();

    /**
     * @param name of the Lease, as {@code namespace/name}
     * @param clock for the Lease's times
     */
    public LeaseArbiter(ApiServer server, String name, Clock clock) {
        String[] parts = name.split("/", -1);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new IllegalArgumentException("VOLARY_LEASE is '" + name + "', must be NAMESPACE/NAME");
        }
        this.server = server;
        this.lease =
                server.address().resolve("/apis/coordination.k8s.io/v1/namespaces/" + parts[0] + "/leases/" + parts[1]);
        this.clock = clock;
    }

    @Override
    public LeaderElectionRecord read() throws IOException {
        return LeaseRecord.read(get());
    }

    @Override
    public boolean exists() throws IOException {
        HttpResponse<String> answer = send(request().GET());
        return switch (answer.statusCode()) {
            case 200 -> true;
            case 401, 403, 404 -> false; // the account of the spawner and its rights are deleted with the job, too
            default -> throw failure(answer);
        };
    }

    @Override
    public LeaderElectionRecord compareAndSet(LeaderElectionRecord expected, LeaderElectionRecord next)
            throws IOException {
        JsonObject now = get();
        LeaderElectionRecord record = LeaseRecord.read(now);
        if (!record.equals(expected) || !next.follows(record)) {
            return record;
        }
        HttpResponse<String> answer = send(request()
                .PUT(HttpRequest.BodyPublishers.ofString(
                        LeaseRecord.write(now, next, clock.instant()).toString())));
        return switch (answer.statusCode()) {
            case 200 -> LeaseRecord.read(parse(answer.body()));
            case 409 -> read(); // another spawner was quicker
            default -> throw failure(answer);
        };
    }

    private JsonObject get() throws IOException {
        HttpResponse<String> answer = send(request().GET());
        if (answer.statusCode() != 200) {
            throw failure(answer);
        }
        return parse(answer.body());
    }

    private HttpRequest.Builder request() throws IOException {
        return HttpRequest.newBuilder(lease)
                .timeout(ANSWER)
                .header("Authorization", "Bearer " + server.token())
                .header("Accept", "application/json")
                .header("Content-Type", "application/json");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return client().send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            // The server may be back with another certificate or address.
            client.ifPresent(HttpClient::shutdownNow);
            client = Optional.empty();
            throw new IOException("the API server at " + server.address() + " does not answer: " + reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking " + lease, e);
        }
    }

    private HttpClient client() throws IOException {
        if (client.isEmpty()) {
            client = Optional.of(HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT)
                    .sslContext(server.tls())
                    .build());
        }
        return client.get();
    }

    private IOException failure(HttpResponse<String> answer) {
        String remedy =
                switch (answer.statusCode()) {
                    case 401 -> "; mount a service account token into the spawner";
                    case 403 -> "; allow the spawner's service account to get and update this Lease";
                    case 404 -> "; the operator makes it";
                    default -> "";
                };
        return new IOException(lease.getPath() + " was answered with status " + answer.statusCode() + remedy);
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static JsonObject parse(String json) throws IOException {
        try {
            return JsonParser.parseString(json).getAsJsonObject();
        } catch (JsonParseException | IllegalStateException e) {
            throw new IOException("the API server's answer is no object: " + e.getMessage(), e);
        }
    }
}

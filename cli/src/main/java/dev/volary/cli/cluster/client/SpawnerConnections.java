// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster.client;

import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Ports;
import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.protocol.model.Address;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Connects to the spawners of a job through forwarded ports and mutual TLS. The identity has the role of the operator; it is
 * created for this command and never stored. For one thread.
 */
public final class SpawnerConnections implements AutoCloseable {
    private record Open(LocalPortForward forward, SpawnerClient client) {}

    private final ClusterClient cluster;
    private final List<String> pods;
    private final Identity identity;
    private final ApiChannels dialer = new ApiChannels("spawners");
    private final Map<String, Open> open = new LinkedHashMap<>();

    private SpawnerConnections(ClusterClient cluster, List<String> pods, Identity identity) {
        this.cluster = cluster;
        this.pods = List.copyOf(pods);
        this.identity = identity;
    }

    /**
     * Prepares connections to the spawners whose pods run.
     *
     * @throws UsageException if no spawner runs, or the user lacks the right to create an identity
     */
    public static SpawnerConnections of(ClusterClient cluster, IterativeJob job) throws UsageException, IOException {
        String name = job.getMetadata().getName();
        List<String> pods = running(cluster, job);
        if (pods.isEmpty()) {
            throw new UsageException(
                    "job " + name + " has no running spawner to connect to; see `volary status " + name + "`");
        }
        try {
            return new SpawnerConnections(cluster, pods, cluster.authority(job).issue("operator", "volary"));
        } catch (GeneralSecurityException e) {
            throw new IOException("an identity for job " + name + " cannot be created: " + e.getMessage(), e);
        }
    }

    /** Names of the running spawner pods, the leader first if the status of the job names it. */
    public static List<String> running(ClusterClient cluster, IterativeJob job) throws UsageException, IOException {
        Optional<String> leader = Optional.ofNullable(job.getStatus()).flatMap(s -> Optional.ofNullable(s.leader()));
        return cluster.pods(job, Optional.of(PodRole.spawner)).stream()
                .filter(ClusterClient::isRunning)
                .map(ClusterClient::podName)
                .sorted(Comparator.comparing((String pod) -> !leader.equals(Optional.of(pod))))
                .toList();
    }

    /** Names of the spawner pods, the leader first if the status of the job names it. */
    public List<String> pods() {
        return pods;
    }

    /** The connection to one spawner, kept until {@link #close}. */
    public SpawnerClient to(String pod) throws IOException {
        Open connection = open.get(pod);
        if (connection == null) {
            LocalPortForward forward;
            try {
                forward = cluster.pod(pod).portForward(Ports.CONTROL);
            } catch (KubernetesClientException | IllegalStateException e) {
                throw new IOException(
                        "port " + Ports.CONTROL + " of pod " + pod + " cannot be forwarded: " + e.getMessage()
                                + "; this requires the rights to get and create pods/portforward",
                        e);
            }
            Address local = new Address(forward.getLocalAddress().getHostAddress(), forward.getLocalPort());
            connection = new Open(forward, dialer.spawner(local, identity));
            open.put(pod, connection);
        }
        return connection.client;
    }

    /**
     * Reads the status of all spawners.
     *
     * @param onFailure receives a message for each spawner that does not answer
     * @return replies by pod
     */
    public Map<String, StatusReply> status(Consumer<String> onFailure) {
        Map<String, StatusReply> replies = new LinkedHashMap<>();
        for (String pod : pods) {
            try {
                replies.put(pod, to(pod).status(Long.MAX_VALUE));
            } catch (IOException e) {
                onFailure.accept(failure(pod, e));
            }
        }
        return replies;
    }

    /** Describes a failure: the pod, the cause, and the errors of the forwarded port. */
    public String failure(String pod, IOException e) {
        Open connection = open.get(pod);
        List<String> reasons = new ArrayList<>(List.of(String.valueOf(e.getMessage())));
        if (connection != null) {
            connection.forward.getServerThrowables().stream()
                    .map(Throwable::getMessage)
                    .filter(Objects::nonNull)
                    .forEach(reasons::add);
        }
        return pod + ": " + String.join("; ", reasons);
    }

    @Override
    public void close() throws IOException {
        for (Open connection : open.values()) {
            connection.client.close();
            connection.forward.close();
        }
        dialer.close();
    }
}

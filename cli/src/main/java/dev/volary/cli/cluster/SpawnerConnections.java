// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.UsageException;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Ports;
import dev.volary.mesh.job.ApiChannels;
import dev.volary.mesh.job.SpawnerClient;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.protocol.Address;
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
 * The spawners of a job, each behind a forwarded port, asked over mutual TLS with an identity of the operator's role that is
 * made for this one command and never stored. For one thread.
 */
final class SpawnerConnections implements AutoCloseable {
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
     * Those whose pods run.
     *
     * @throws UsageException if none does, or the user may not have an identity
     */
    static SpawnerConnections of(ClusterClient cluster, IterativeJob job) throws UsageException, IOException {
        String name = job.getMetadata().getName();
        List<String> pods = running(cluster, job);
        if (pods.isEmpty()) {
            throw new UsageException(
                    "no spawner of job " + name + " runs, whom this could be asked; see `volary status " + name + "`");
        }
        try {
            return new SpawnerConnections(cluster, pods, cluster.authority(job).issue("operator", "volary"));
        } catch (GeneralSecurityException e) {
            throw new IOException("an identity for job " + name + " cannot be made: " + e.getMessage(), e);
        }
    }

    /** Names of the spawners' pods that run, the lead's first as far as the job's status knows it. */
    static List<String> running(ClusterClient cluster, IterativeJob job) throws UsageException, IOException {
        Optional<String> lead = Optional.ofNullable(job.getStatus()).flatMap(s -> Optional.ofNullable(s.leader()));
        return cluster.pods(job, Optional.of(WorkerRole.spawner)).stream()
                .filter(Pods::runs)
                .map(Pods::name)
                .sorted(Comparator.comparing((String pod) -> !lead.equals(Optional.of(pod))))
                .toList();
    }

    /** Names of their pods, the lead's first as far as the job's status knows it. */
    List<String> pods() {
        return pods;
    }

    /** A connection to one of them, kept until this is closed. */
    SpawnerClient to(String pod) throws IOException {
        Open there = open.get(pod);
        if (there == null) {
            LocalPortForward forward;
            try {
                forward = cluster.pod(pod).portForward(Ports.CONTROL);
            } catch (KubernetesClientException | IllegalStateException e) {
                throw new IOException(
                        "port " + Ports.CONTROL + " of pod " + pod + " cannot be forwarded: " + e.getMessage()
                                + "; this needs the rights to get and create pods/portforward",
                        e);
            }
            Address local = new Address(forward.getLocalAddress().getHostAddress(), forward.getLocalPort());
            there = new Open(forward, dialer.spawner(local, identity));
            open.put(pod, there);
        }
        return there.client;
    }

    /**
     * What all of them say, by pod.
     *
     * @param silent told of each that does not answer, and why
     */
    Map<String, StatusReply> status(Consumer<String> silent) {
        Map<String, StatusReply> replies = new LinkedHashMap<>();
        for (String pod : pods) {
            try {
                replies.put(pod, to(pod).status(Long.MAX_VALUE));
            } catch (IOException e) {
                silent.accept(failure(pod, e));
            }
        }
        return replies;
    }

    /** A failure as a sentence that names the pod, and what the port-forward says of it. */
    String failure(String pod, IOException e) {
        Open there = open.get(pod);
        List<String> reasons = new ArrayList<>(List.of(String.valueOf(e.getMessage())));
        if (there != null) {
            there.forward.getServerThrowables().stream()
                    .map(Throwable::getMessage)
                    .filter(Objects::nonNull)
                    .forEach(reasons::add);
        }
        return pod + ": " + String.join("; ", reasons);
    }

    @Override
    public void close() throws IOException {
        for (Open there : open.values()) {
            there.client.close();
            there.forward.close();
        }
        dialer.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.job.JobDescriptionFile;
import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.TlsIdentity;
import dev.volary.protocol.model.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The pods of one job as processes, with what an operator would make for them: certificates, description, Lease. */
final class PodJob implements AutoCloseable {
    private static final String NAMESPACE = "science";

    private final Path folder;
    private final JobDescription job;
    private final CertificateAuthority authority;
    private final FakeApiServer api;
    private final ApiChannels dialer = new ApiChannels("test");
    private final Identity operator;
    private final Map<String, PodProcess> pods = new LinkedHashMap<>();
    private final Map<String, SpawnerClient> spawners = new LinkedHashMap<>();

    PodJob(Path folder, JobDescription job) throws Exception {
        this.folder = folder;
        this.job = job;
        this.authority = new CertificateAuthority(NAMESPACE, job.getName());
        this.operator = authority.issue("operator", "operator");
        Path account = Files.createDirectories(folder.resolve("account"));
        this.api = new FakeApiServer(account);
        api.create(NAMESPACE, job.getName());
        Files.writeString(folder.resolve("job.json"), JobDescriptionFile.write(job));
    }

    FakeApiServer api() {
        return api;
    }

    /** Starts a pod of this name, or its container again. */
    PodProcess start(String role, String name, String address, String spawnerNames) throws Exception {
        return start(role, name, address, spawnerNames, PodProcess.HEAP_BYTES);
    }

    /** As {@link #start(String, String, String, String)}, with a heap of this size. */
    PodProcess start(String role, String name, String address, String spawnerNames, long heapBytes) throws Exception {
        Path own = folder.resolve(name);
        if (!Files.exists(own)) {
            Files.createDirectories(own.resolve("spool"));
            TlsIdentity identity = authority.issue(role, name).toPem();
            Files.writeString(own.resolve("tls.crt"), identity.getCertificateChainPem());
            Files.writeString(own.resolve("tls.key"), identity.getPrivateKeyPem());
            Files.writeString(own.resolve("ca.crt"), identity.getAuthorityPem());
        }
        Map<String, String> environment = new HashMap<>(Map.of(
                "VOLARY_ROLE",
                role,
                "VOLARY_NAME",
                name,
                "VOLARY_ADDRESS",
                address,
                "VOLARY_LISTEN",
                "address",
                "VOLARY_NODE",
                "node-" + address,
                "VOLARY_SPAWNERS",
                spawnerNames,
                "VOLARY_JOB_FILE",
                folder.resolve("job.json").toString(),
                "VOLARY_TLS",
                own.toString(),
                "VOLARY_SPOOL",
                own.resolve("spool").toString(),
                "VOLARY_CORES",
                "1"));
        if (role.equals("spawner")) {
            environment.put("VOLARY_LEASE", NAMESPACE + "/" + job.getName());
            environment.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
            environment.put("KUBERNETES_SERVICE_PORT", Integer.toString(api.port()));
            environment.put("VOLARY_SERVICE_ACCOUNT", folder.resolve("account").toString());
            spawners.put(name, dialer.spawner(new Address(address, 7400), operator));
        }
        PodProcess pod = PodProcess.start(name, folder.resolve(name + ".log"), environment, heapBytes);
        pods.put(name, pod);
        return pod;
    }

    PodProcess pod(String name) {
        PodProcess pod = pods.get(name);
        if (pod == null) {
            throw new IllegalArgumentException("no pod " + name);
        }
        return pod;
    }

    SpawnerClient spawner(String name) {
        SpawnerClient client = spawners.get(name);
        if (client == null) {
            throw new IllegalArgumentException("no spawner " + name);
        }
        return client;
    }

    /** The status of the leader, if one of the spawners that answer leads. */
    Optional<StatusReply> leaderStatus() {
        for (SpawnerClient spawner : spawners.values()) {
            try {
                StatusReply status = spawner.status(0);
                if (status.getLeader() != 0
                        && status.getLeader() == status.getSelf().getId()) {
                    return Optional.of(status);
                }
            } catch (IOException notThere) {
                // The next one may be.
            }
        }
        return Optional.empty();
    }

    /** Talks to the leader; there must be one. */
    SpawnerClient leader() {
        return leader(leaderStatus().orElseThrow());
    }

    /**
     * Talks to the leader.
     *
     * @param leader its status
     */
    SpawnerClient leader(StatusReply leader) {
        return spawner(leader.getSelf().getName());
    }

    /** All logs, for a failed test. */
    String output() {
        StringBuilder all = new StringBuilder();
        pods.values().forEach(pod -> {
            try {
                all.append("---- ").append(pod.name()).append('\n').append(pod.output());
            } catch (IOException e) {
                all.append(e);
            }
        });
        return all.toString();
    }

    /** Ends all pods at once, as {@code kill -9}; the API server stays. */
    void killAll() {
        pods.values().forEach(PodProcess::kill);
        pods.values().forEach(PodProcess::close);
        pods.clear();
    }

    @Override
    public void close() {
        killAll();
        spawners.values().forEach(SpawnerClient::close);
        dialer.close();
        api.close();
    }
}

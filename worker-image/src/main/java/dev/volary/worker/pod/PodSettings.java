// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.v1.Role;
import dev.volary.mesh.v1.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a worker in a pod, from its environment and files.
 *
 * @param role what it does
 * @param name of the pod
 * @param address that others reach it at
 * @param node machine it runs on; empty if unknown
 * @param zone failure domain: the node's zone, else the node
 * @param spawners where spawners are found, see {@link SpawnerNames}
 * @param lease the job's Lease, as {@code namespace/name}; spawners have one
 * @param cores processors it may use
 * @param jobFile the job's description as JSON
 * @param tls folder of {@code tls.crt}, {@code tls.key} and {@code ca.crt}
 * @param spool where a spawner keeps the result, if not where the description says
 * @param onlyAddress whether it listens on {@code address} alone
 */
public record PodSettings(
        Role role,
        String name,
        String address,
        String node,
        String zone,
        String spawners,
        Optional<String> lease,
        int cores,
        Path jobFile,
        Path tls,
        Optional<String> spool,
        boolean onlyAddress) {

    /** Ports of every worker pod; metrics are plain HTTP. */
    public static final int CONTROL_PORT = 7400;

    public static final int BULK_PORT = 7401;
    public static final int STORE_PORT = 7402;
    public static final int HTTP_PORT = 7403;

    /**
     * Reads the environment.
     *
     * @throws IOException naming the variable that is missing or wrong
     */
    public static PodSettings of(Map<String, String> environment) throws IOException {
        Role role =
                switch (required(environment, "VOLARY_ROLE")) {
                    case "daemon" -> Role.ROLE_DAEMON;
                    case "spawner" -> Role.ROLE_SPAWNER;
                    default ->
                        throw new IOException(
                                "VOLARY_ROLE is '" + environment.get("VOLARY_ROLE") + "', must be daemon or spawner");
                };
        Optional<String> lease = optional(environment, "VOLARY_LEASE");
        if (role == Role.ROLE_SPAWNER && lease.isEmpty()) {
            throw new IOException("VOLARY_LEASE is not set; a spawner needs NAMESPACE/NAME of the job's Lease");
        }
        String node = environment.getOrDefault("VOLARY_NODE", "");
        return new PodSettings(
                role,
                required(environment, "VOLARY_NAME"),
                required(environment, "VOLARY_ADDRESS"),
                node,
                optional(environment, "VOLARY_ZONE").orElse(node),
                required(environment, "VOLARY_SPAWNERS"),
                lease,
                cores(environment),
                Path.of(environment.getOrDefault("VOLARY_JOB_FILE", "/etc/volary/job/job.json")),
                Path.of(environment.getOrDefault("VOLARY_TLS", "/etc/volary/tls")),
                optional(environment, "VOLARY_SPOOL"),
                "address".equals(environment.get("VOLARY_LISTEN")));
    }

    /** This pod's identity as its files say now. */
    public TlsIdentity identity() throws IOException {
        return TlsIdentity.newBuilder()
                .setCertificateChainPem(Files.readString(tls.resolve("tls.crt")))
                .setPrivateKeyPem(Files.readString(tls.resolve("tls.key")))
                .setAuthorityPem(Files.readString(tls.resolve("ca.crt")))
                .build();
    }

    private static int cores(Map<String, String> environment) throws IOException {
        Optional<String> given = optional(environment, "VOLARY_CORES");
        if (given.isEmpty()) {
            return Runtime.getRuntime().availableProcessors();
        }
        try {
            return Math.max(1, Integer.parseInt(given.get()));
        } catch (NumberFormatException e) {
            throw new IOException("VOLARY_CORES is '" + given.get() + "', must be a whole number", e);
        }
    }

    private static String required(Map<String, String> environment, String name) throws IOException {
        return optional(environment, name)
                .orElseThrow(() -> new IOException(name + " is not set; the operator sets it in every worker pod"));
    }

    private static Optional<String> optional(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedCluster;
import dev.volary.operator.simulated.VirtualTime;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks the Secrets of pods that run: they are there, they are reissued at half of their lifetime, the authority of the job keeps
 * its key, and no pod is deleted for that.
 */
final class IdentityChecker {
    private static final Duration INTERVAL = Duration.ofSeconds(20);
    /** An operator checks all Secrets of a job every ten minutes. */
    private static final Duration PATIENCE = Duration.ofMinutes(12);

    private static final Duration DAY = Duration.ofDays(1);

    private final VirtualTime time;
    private final SimulatedApiServer server;
    private final Consumer<String> violated;
    private final Map<String, Duration> missingSince = new HashMap<>();
    private final Map<String, Duration> dueSince = new HashMap<>();
    private final Map<String, String> authorities = new HashMap<>();

    IdentityChecker(VirtualTime time, SimulatedApiServer server, Consumer<String> violated) {
        this.time = time;
        this.server = server;
        this.violated = violated;
    }

    /** Checks from now on. */
    void start() {
        time.every(INTERVAL, () -> {
            server.list("pods").stream()
                    .filter(pod -> !SimulatedCluster.isDeleting(pod) && !SimulatedCluster.hasEnded(pod))
                    .forEach(this::check);
            return true;
        });
    }

    /** The operator deletes a pod, in a scenario in which none is lost and none is surplus. */
    void deleted(ObjectNode pod, ObjectNode job) {
        String phase = job.at("/status/phase").asText();
        if (phase.equals("Forming") || phase.equals("Running")) {
            violated.accept("pod " + SimulatedApiServer.name(pod) + " is deleted, which the job needs");
        }
    }

    private void check(ObjectNode pod) {
        String uid = SimulatedApiServer.uid(pod);
        String name = SimulatedApiServer.name(pod);
        ObjectNode job = server.get("iterativejobs", SimulatedCluster.NAMESPACE, ScenarioFaults.JOB);
        if (job == null || !SimulatedApiServer.owner(pod).equals(SimulatedApiServer.uid(job))) {
            return;
        }
        @Nullable X509Certificate authority =
                certificate("volary-" + ScenarioFaults.JOB + "-ca", "ca.crt", SimulatedApiServer.uid(job));
        if (authority != null) {
            String key =
                    Base64.getEncoder().encodeToString(authority.getPublicKey().getEncoded());
            String before = authorities.putIfAbsent(SimulatedApiServer.uid(job), key);
            if (before != null && !before.equals(key)) {
                violated.accept("the authority of the job has another key, which pod " + name + " does not trust");
            }
        }
        @Nullable X509Certificate identity = certificate("volary-" + name + "-identity", "tls.crt", uid);
        if (identity == null) {
            return;
        }
        Instant half = identity.getNotBefore()
                .toInstant()
                .plus(Duration.between(
                                identity.getNotBefore().toInstant(),
                                identity.getNotAfter().toInstant())
                        .dividedBy(2));
        // an operator that starts assumes that a pod's identity was issued when the pod was created
        Instant latest = Instant.parse(
                        SimulatedApiServer.meta(pod).path("creationTimestamp").asText())
                .plus(Duration.between(identity.getNotBefore().toInstant().plus(DAY), half));
        boolean isDue = time.now().isAfter(half) && time.now().isAfter(latest);
        if (isLong(dueSince, uid, isDue)) {
            violated.accept("the identity of pod " + name + " is not reissued at half of its lifetime");
        }
    }

    /** The certificate in a Secret; null if it is missing. */
    private @Nullable X509Certificate certificate(String secret, String key, String user) {
        ObjectNode found = server.get("secrets", SimulatedCluster.NAMESPACE, secret);
        if (isLong(missingSince, secret + user, found == null)) {
            violated.accept("secret " + secret + " is deleted, which a pod needs, and is not created again");
        }
        if (found == null) {
            return null;
        }
        try {
            byte[] pem = Base64.getDecoder().decode(found.path("data").path(key).asText());
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
        } catch (CertificateException e) {
            throw new IllegalStateException(secret, e);
        }
    }

    private boolean isLong(Map<String, Duration> since, String key, boolean now) {
        if (!now) {
            since.remove(key);
            return false;
        }
        Duration begin = since.computeIfAbsent(key, each -> time.elapsed());
        if (time.elapsed().minus(begin).compareTo(PATIENCE) <= 0) {
            return false;
        }
        since.put(key, time.elapsed());
        return true;
    }
}

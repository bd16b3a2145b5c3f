// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static dev.volary.operator.reconcile.PlayedCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Ownership;
import dev.volary.job.resource.Phase;
import dev.volary.job.testkit.NeedsApiServer;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.TlsIdentity;
import dev.volary.operator.resources.IdentitySecrets;
import dev.volary.operator.spawner.JobReport;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The Secrets with the identities of a job's pods, against a real API server. */
@NeedsApiServer
class IdentitySecretsTest {
    @RegisterExtension
    static final ApiServerExtension SERVER = new ApiServerExtension();

    @AutoClose
    private final PlayedCluster cluster = new PlayedCluster(SERVER.api());

    @Test
    void eachPodMountsASecretOfItsOwn() throws Exception {
        cluster.operator("a");
        IterativeJob job = cluster.apply("heat", "heat2d");
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-d-0")));
        for (String pod : List.of("heat-s-0", "heat-d-0")) {
            List<String> mounted =
                    cluster
                            .client
                            .pods()
                            .inNamespace(cluster.namespace)
                            .withName(pod)
                            .get()
                            .getSpec()
                            .getVolumes()
                            .stream()
                            .filter(volume -> volume.getSecret() != null)
                            .map(volume -> volume.getSecret().getSecretName())
                            .toList();
            assertEquals(List.of("volary-" + pod + "-identity"), mounted);
            Secret secret = secret(mounted.getFirst());
            assertTrue(Ownership.isBy(job, secret), secret::toString);
            assertEquals(
                    Set.of("ca.crt", "tls.crt", "tls.key"), secret.getData().keySet());
            assertEquals(pod, identity(secret).id().name());
            assertEquals(
                    pod.contains("-s-") ? "spawner" : "daemon",
                    identity(secret).id().role());
        }
        assertEquals(Set.of("volary-heat-d-0-identity", "volary-heat-s-0-identity"), identities());
    }

    @Test
    void theSecretOfALostPodIsDeletedAndThatOfItsReplacementIsNew() {
        cluster.operator("a");
        cluster.apply("heat", "heat2d");
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-d-0")));
        delete("heat-d-0");
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-d-1")));
        until().untilAsserted(() ->
                assertEquals(Set.of("volary-heat-d-1-identity", "volary-heat-s-0-identity"), identities()));
    }

    @Test
    void theSecretOfAPodThatEndsWhileNoOperatorRunsIsDeletedByTheNextOne() {
        RunningOperator first = cluster.operator("a");
        cluster.apply("heat", "heat2d");
        until().until(() -> String.valueOf(cluster.status("heat").roster()).equals("d0,s0"));
        cluster.stop(first);
        delete("heat-d-0");
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0")));
        assertTrue(identities().contains("volary-heat-d-0-identity"));
        cluster.operator("b");
        until().until(() -> cluster.pods().size() == 2 && identities().size() == 2);
        assertTrue(!identities().contains("volary-heat-d-0-identity"), () -> "" + identities());
    }

    @Test
    void aFinishedJobKeepsOnlyTheSecretsOfThePodsThatItKeeps() {
        cluster.operator("a");
        cluster.apply("heat", "heat2d");
        until().until(() -> !cluster.address("heat-s-0").isEmpty());
        cluster.spawners.say(
                "heat", cluster.report("heat", JobReport.Stage.FINISHED, new JobReport.End.Certified(5e-7), 5e-7));
        until().until(() -> cluster.phase("heat") == Phase.Succeeded);
        until().untilAsserted(() -> assertEquals(Set.of("volary-heat-s-0-identity"), identities()));
    }

    @Test
    void aSecretOfAnotherOwnerIsNeitherUsedNorDeleted() {
        Secret foreign = cluster.client
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("volary-heat-d-0-identity")
                        .withNamespace(cluster.namespace)
                        .endMetadata()
                        .withData(Map.of("tls.key", "a2V5"))
                        .build())
                .create();
        cluster.operator("a");
        cluster.apply("heat", "heat2d");
        until().until(() -> cluster.condition("heat", "Ready").equals("False NameTaken"));
        assertTrue(
                cluster.message("heat", "Ready").contains("Secret volary-heat-d-0-identity"),
                cluster.message("heat", "Ready"));
        assertEquals(foreign, secret("volary-heat-d-0-identity"));
        cluster.client.resource(foreign).delete();
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-d-0")));
    }

    @Test
    void aJobThatStartedUnderTheEarlierNamesKeepsItsAuthority() throws Exception {
        IterativeJob job = cluster.apply("heat", "heat2d");
        CertificateAuthority earlier = new CertificateAuthority(
                cluster.namespace, "heat", job.getMetadata().getUid());
        Secret secret = IdentitySecrets.authority(job, earlier);
        secret.getMetadata().setName("heat-ca");
        cluster.client.resource(secret).create();
        cluster.operator("a");
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-d-0")));
        identity(secret("volary-heat-d-0-identity"))
                .chain()
                .getFirst()
                .verify(earlier.certificate().getPublicKey());
        assertEquals(
                secret.getData().get("ca.key"),
                secret("volary-heat-ca").getData().get("ca.key"));
    }

    @Test
    void theIdentitiesOfRunningPodsAreReissuedAtHalfOfTheirLifetime() throws Exception {
        MovedClock clock = new MovedClock();
        RunningOperator first = cluster.operator("a", cluster.access(), authorities -> cluster.spawners, clock);
        cluster.apply("heat", "heat2d");
        until().until(() -> !cluster.address("heat-s-0").isEmpty());
        cluster.spawners.say("heat", cluster.report("heat", JobReport.Stage.RUNNING, null, 1e-3));
        until().until(() -> cluster.phase("heat") == Phase.Running);
        Map<String, String> issued = certificates();
        String authority = secret("volary-heat-ca").getData().get("ca.key");

        clock.moveTo(Duration.ofDays(14));
        reconcile();
        assertEquals(issued, certificates());
        clock.moveTo(Duration.ofDays(15));
        reconcile();
        until().untilAsserted(() -> assertAllDiffer(issued, certificates()));
        Map<String, String> reissued = certificates();
        Instant expiry = identity(secret("volary-heat-d-0-identity"))
                .chain()
                .getFirst()
                .getNotAfter()
                .toInstant();
        assertTrue(expiry.isAfter(clock.instant().plus(Duration.ofDays(29))), expiry::toString);

        cluster.stop(first);
        clock.moveTo(Duration.ofDays(29));
        cluster.operator("b", cluster.access(), authorities -> cluster.spawners, clock);
        reconcile();
        assertEquals(reissued, certificates(), "the pods are old, but their identities are not");
        clock.moveTo(Duration.ofDays(30));
        reconcile();
        until().untilAsserted(() -> assertAllDiffer(reissued, certificates()));
        assertEquals(Set.of("heat-s-0", "heat-d-0"), cluster.pods());
        assertEquals(authority, secret("volary-heat-ca").getData().get("ca.key"));
    }

    @Test
    void anAuthorityIsRenewedWithItsKeyAtHalfOfItsLifetime() {
        MovedClock clock = new MovedClock();
        cluster.operator("a", cluster.access(), authorities -> cluster.spawners, clock);
        cluster.apply("heat", "heat2d");
        until().until(() -> !cluster.address("heat-s-0").isEmpty());
        cluster.spawners.say("heat", cluster.report("heat", JobReport.Stage.RUNNING, null, 1e-3));
        until().until(() -> cluster.phase("heat") == Phase.Running);
        Map<String, String> created = secret("volary-heat-ca").getData();
        clock.moveTo(Duration.ofDays(6 * 365));
        reconcile();
        until().untilAsserted(() -> assertNotEquals(
                created.get("ca.crt"), secret("volary-heat-ca").getData().get("ca.crt")));
        Map<String, String> renewed = secret("volary-heat-ca").getData();
        assertEquals(created.get("ca.key"), renewed.get("ca.key"));
        until().untilAsserted(() -> assertEquals(
                renewed.get("ca.crt"),
                secret("volary-heat-d-0-identity").getData().get("ca.crt")));
    }

    private static void assertAllDiffer(Map<String, String> former, Map<String, String> now) {
        assertEquals(former.keySet(), now.keySet());
        former.forEach((name, certificate) -> assertNotEquals(certificate, now.get(name), name));
    }

    /** Has the operator reconcile the job once more, from its beginning to its end. */
    private void reconcile() {
        for (int pass = 0; pass < 2; pass++) {
            long before = cluster.metrics.reconciles();
            cluster.client
                    .resources(IterativeJob.class)
                    .inNamespace(cluster.namespace)
                    .withName("heat")
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\": {\"annotations\": {\"touched\": \"" + System.nanoTime() + "\"}}}");
            // A pass is counted at its beginning, and the passes of a job follow each other.
            until().until(() -> cluster.metrics.reconciles() > before);
        }
    }

    /** Certificates in the Secrets of pods, by name. */
    private Map<String, String> certificates() {
        return identities().stream()
                .collect(Collectors.toMap(
                        name -> name, name -> secret(name).getData().get("tls.crt")));
    }

    /** A clock that goes on from a moment some time from now. */
    private static final class MovedClock extends Clock {
        private volatile Duration ahead = Duration.ZERO;

        void moveTo(Duration fromNow) {
            ahead = fromNow;
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(ahead);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private void delete(String pod) {
        cluster.client.pods().inNamespace(cluster.namespace).withName(pod).delete();
    }

    private Secret secret(String name) {
        return cluster.client
                .secrets()
                .inNamespace(cluster.namespace)
                .withName(name)
                .get();
    }

    /** Names of all Secrets that a pod may mount. */
    private Set<String> identities() {
        return cluster.client.secrets().inNamespace(cluster.namespace).list().getItems().stream()
                .map(secret -> secret.getMetadata().getName())
                .filter(name -> !name.endsWith("-ca"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Identity identity(Secret secret) throws Exception {
        return Identity.of(TlsIdentity.newBuilder()
                .setCertificateChainPem(text(secret, "tls.crt"))
                .setPrivateKeyPem(text(secret, "tls.key"))
                .setAuthorityPem(text(secret, "ca.crt"))
                .build());
    }

    private static String text(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.US_ASCII);
    }
}

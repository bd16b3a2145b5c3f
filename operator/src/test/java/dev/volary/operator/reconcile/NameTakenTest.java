// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static dev.volary.operator.reconcile.PlayedCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Ownership;
import dev.volary.job.resource.Phase;
import dev.volary.job.testkit.NeedsApiServer;
import dev.volary.operator.spawner.JobReport;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Objects of other owners under names that a job needs, against a real API server. No garbage collector runs there: what a deleted
 * job leaves behind stays until the test deletes it.
 */
@NeedsApiServer
class NameTakenTest {
    private static final double OLD = 1e-7;
    private static final double NEW = 5e-7;

    @RegisterExtension
    static final ApiServerExtension SERVER = new ApiServerExtension();

    @AutoClose
    private final PlayedCluster cluster = new PlayedCluster(SERVER.api());

    @Test
    void aJobThatIsCreatedAgainShowsNothingOfTheOldOneAndEndsWithItsOwnObjects() {
        cluster.operator("a");
        List<HasMetadata> left = endedAndDeleted();
        Map<String, String> versions = versions(left);

        IterativeJob again = cluster.apply("heat", "obstacle");
        until().until(() -> cluster.condition("heat", "Ready").equals("False NameTaken"));
        // The old spawner still answers that its job is certified. The time of three polls is enough to read it.
        until().during(Duration.ofSeconds(4)).untilAsserted(() -> {
            assertEquals(Phase.Forming, cluster.phase("heat"));
            assertNull(cluster.status("heat").certifiedResidual());
            assertNotEquals("True Certified", cluster.condition("heat", "Converged"));
        });
        String message = cluster.message("heat", "Ready");
        for (String name : List.of(
                "ConfigMap volary-heat-job",
                "Lease heat-lead",
                "Secret volary-heat-ca",
                "Secret volary-heat-s-0-identity")) {
            assertTrue(message.contains(name), () -> name + " is not in: " + message);
        }
        assertTrue(message.contains(", an earlier job of this name: "), message);
        assertTrue(message.endsWith("; wait until garbage collection has removed them, or delete them"), message);
        assertEquals(1, cluster.notes("heat", "NameTaken").size());
        assertEquals(versions, versions(cluster.objects()), "what the old job has left behind was touched");

        left.forEach(
                object -> cluster.client.resource(object).withGracePeriod(0).delete());
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-d-0"))
                && !address().isEmpty());
        cluster.objects().forEach(object -> assertTrue(Ownership.isBy(again, object), object::toString));
        cluster.spawners.sayAt(address(), cluster.report("heat", JobReport.Stage.RUNNING, null, NEW));
        until().until(() -> cluster.phase("heat") == Phase.Running);
        assertEquals("True EnoughDaemons", cluster.condition("heat", "Ready"));
        cluster.spawners.sayAt(address(), certified(NEW));
        until().until(() -> cluster.phase("heat") == Phase.Succeeded);
        assertEquals("5.000e-07", cluster.status("heat").certifiedResidual());
    }

    @Test
    void aPodNameThatAnEarlierJobStillUsesIsSkipped() {
        cluster.operator("a");
        List<HasMetadata> left = endedAndDeleted();
        left.stream()
                .filter(object -> !object.getKind().equals("Pod"))
                .forEach(object -> cluster.client.resource(object).delete());

        cluster.apply("heat", "obstacle");
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-s-1", "heat-d-0")));
        until().during(Duration.ofSeconds(3))
                .untilAsserted(() -> assertNull(cluster.status("heat").certifiedResidual()));
        String address = until().until(() -> cluster.address("heat-s-1"), found -> !found.isEmpty());
        cluster.spawners.sayAt(address, certified(NEW));
        until().until(() -> cluster.phase("heat") == Phase.Succeeded);
        assertEquals("5.000e-07", cluster.status("heat").certifiedResidual());
        assertTrue(cluster.pods().contains("heat-s-0"), "the pod of the earlier job was deleted");
    }

    @Test
    void foreignObjectsAreNotChangedAndTheJobContinuesOnceTheyAreDeleted() {
        HasMetadata secret = cluster.client
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("volary-shop-d-0-identity")
                        .withNamespace(cluster.namespace)
                        .endMetadata()
                        .withType("kubernetes.io/tls")
                        .withData(Map.of("tls.crt", encoded("certificate"), "tls.key", encoded("key")))
                        .build())
                .create();
        HasMetadata map = cluster.client
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("volary-shop-job")
                        .withNamespace(cluster.namespace)
                        .withLabels(Map.of("volary.dev/job", "shop"))
                        .endMetadata()
                        .withData(Map.of("orders", "7"))
                        .build())
                .create();
        cluster.operator("a");
        cluster.apply("shop", "heat2d");
        until().until(() -> cluster.condition("shop", "Ready").equals("False NameTaken"));
        assertEquals(
                "Names that this job needs are taken by objects without an owner: ConfigMap volary-shop-job, Secret volary-shop-d-0-identity;"
                        + " delete or rename them",
                cluster.message("shop", "Ready"));
        until().until(() -> cluster.notes("shop", "NameTaken").size() == 1);
        assertEquals(Set.of(), cluster.pods());

        cluster.client.resource(map).delete();
        until().until(() -> cluster.message("shop", "Ready")
                .equals(
                        "Names that this job needs are taken by objects without an owner: Secret volary-shop-d-0-identity; delete or rename"
                                + " them"));
        assertEquals(
                secret, cluster.client.resource(secret).get(), "the secret of another owner, resourceVersion included");

        cluster.client.resource(secret).delete();
        until().until(() -> !cluster.address("shop-s-0").isEmpty());
        cluster.spawners.say("shop", cluster.report("shop", JobReport.Stage.RUNNING, null, NEW));
        until().until(() -> cluster.condition("shop", "Ready").equals("True EnoughDaemons"));
        assertEquals(1, cluster.notes("shop", "NameTaken").size());
    }

    @Test
    void deletingTheJobDeletesNothingOfAnotherOwnerUnderItsNames() {
        HasMetadata map = cluster.client
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("volary-shop-job")
                        .withNamespace(cluster.namespace)
                        .endMetadata()
                        .withData(Map.of("orders", "7"))
                        .build())
                .create();
        cluster.operator("a");
        cluster.apply("shop", "heat2d");
        until().until(() -> cluster.condition("shop", "Ready").equals("False NameTaken"));
        cluster.delete("shop");
        assertEquals(map, cluster.client.resource(map).get());
    }

    /** A job that was certified and then deleted; what it leaves behind, its spawner included, which still answers. */
    private List<HasMetadata> endedAndDeleted() {
        IterativeJob first = cluster.apply("heat", "heat2d");
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0", "heat-d-0"))
                && !address().isEmpty());
        cluster.spawners.sayAt(address(), certified(OLD));
        until().until(() -> cluster.phase("heat") == Phase.Succeeded);
        until().until(() -> cluster.pods().equals(Set.of("heat-s-0")));
        cluster.delete("heat");
        List<HasMetadata> left = cluster.objects();
        left.forEach(object -> assertTrue(Ownership.isBy(first, object), object::toString));
        return left;
    }

    private String address() {
        return cluster.address("heat-s-0");
    }

    private JobReport certified(double residual) {
        return cluster.report("heat", JobReport.Stage.FINISHED, new JobReport.End.Certified(residual), residual);
    }

    private static Map<String, String> versions(List<HasMetadata> objects) {
        return objects.stream()
                .collect(Collectors.toMap(
                        object -> object.getKind() + " " + object.getMetadata().getName(),
                        object -> Objects.requireNonNull(object.getMetadata().getUid()) + " "
                                + object.getMetadata().getResourceVersion(),
                        (one, other) -> one,
                        TreeMap::new));
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}

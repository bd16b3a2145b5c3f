// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.testkit.LocalApiServer;
import dev.volary.job.testkit.NeedsApiServer;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A job as users and the operator meet it on a real API server. */
@NeedsApiServer
class KubectlTest {
    private static LocalApiServer server;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        server = LocalApiServer.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void theExamplesOfTheRepositoryAreAccepted() throws IOException, InterruptedException {
        try (Stream<Path> files = Files.list(Path.of("../../examples"))) {
            for (Path example : files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList()) {
                String answer = server.kubectl("apply", "--dry-run=server", "-f", example.toString());
                assertTrue(answer.strip().endsWith("created (server dry run)"), answer);
            }
        }
    }

    @Test
    void aFieldThatDoesNotExistIsNamedInTemplatesToo() {
        String manifest = """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: misspelt, namespace: default}
                spec:
                  problem: {type: heat2d}
                  daemons: {template: {spec: {tolerations: [{kye: spot}]}}}
                """;
        Path file = Path.of("target/misspelt.yaml");
        AssertionError refused = assertThrows(AssertionError.class, () -> {
            Files.writeString(file, manifest);
            server.kubectl("apply", "--dry-run=server", "-f", file.toString());
        });
        assertTrue(
                String.valueOf(refused.getMessage())
                        .contains("unknown field \"spec.daemons.template.spec.tolerations[0].kye\""),
                refused::getMessage);
    }

    @Test
    void theServerFillsTheDefaultsThatTheTypesFill() {
        String bare = """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: bare, namespace: default}
                spec: {problem: {type: heat2d}}
                """;
        // As generic objects: the types would fill the defaults before the server could.
        GenericKubernetesResource filled = server.client()
                .resource(Serialization.unmarshal(bare, GenericKubernetesResource.class))
                .create();
        assertEquals(
                "{chaos={allowed=false}, checkpoint={copies=2, interval=Auto}, convergence={acceptRisk=false,"
                        + " detector=Snapshot, norm=Relative, tolerance=1e-6}, daemons={replicas=4, standbys=0},"
                        + " failureDetection={strategy=RingWithConfirmation, watchers=2}, failurePolicy={blockAttempts=3,"
                        + " maxRetries=6}, podRetention=Failed, problem={type=heat2d}, result={destination=Lead},"
                        + " scheme=Asynchronous, spawners={}, suspend=false}",
                String.valueOf(filled.getAdditionalProperties().get("spec")));
        IterativeJob read = server.client()
                .resources(IterativeJob.class)
                .inNamespace("default")
                .withName("bare")
                .get();
        assertEquals(Serialization.unmarshal(bare, IterativeJob.class).getSpec(), read.getSpec());
    }

    @Test
    void getShowsWhatMatters() throws IOException, InterruptedException {
        running("shown");
        List<String> table = server.kubectl("get", "ij", "shown").lines().toList();
        assertEquals(
                List.of("NAME", "PHASE", "RESIDUAL", "TOLERANCE", "DAEMONS", "REPLACED", "AGE"), cells(table.get(0)));
        assertEquals(
                List.of("shown", "Running", "3.2e-04", "1e-6", "3", "2"),
                cells(table.get(1)).subList(0, 6));
        List<String> wide =
                server.kubectl("get", "volary", "shown", "-o", "wide").lines().toList();
        assertEquals(
                List.of(
                        "NAME",
                        "PHASE",
                        "RESIDUAL",
                        "TOLERANCE",
                        "DAEMONS",
                        "WANTED",
                        "STANDBY",
                        "REPLACED",
                        "RETRIES",
                        "ITERATIONS",
                        "CHECKPOINT",
                        "LEADER",
                        "AGE"),
                cells(wide.get(0)));
    }

    @Test
    void scaleChangesTheDaemonsWithinTheirBounds() throws IOException, InterruptedException {
        running("scaled");
        server.kubectl("scale", "ij/scaled", "--replicas=6");
        IterativeJob scaled = server.client()
                .resources(IterativeJob.class)
                .inNamespace("default")
                .withName("scaled")
                .get();
        assertEquals(6, scaled.getSpec().daemons().replicas());
        String scale = server.kubectl(
                "get", "--raw", "/apis/volary.dev/v1alpha1/namespaces/default/iterativejobs/scaled/scale");
        assertTrue(scale.contains("\"replicas\":3,\"selector\":\"volary.dev/job=scaled\""), scale);
        AssertionError refused =
                assertThrows(AssertionError.class, () -> server.kubectl("scale", "ij/scaled", "--replicas=9"));
        assertTrue(
                String.valueOf(refused.getMessage())
                        .contains("spec.daemons.max is 8, below spec.daemons.replicas, which is 9;"),
                refused::getMessage);
    }

    @Test
    void aStatusSurvivesTheWayToTheServerAndBack() {
        IterativeJob job = running("kept");
        IterativeJob read = server.client()
                .resources(IterativeJob.class)
                .inNamespace("default")
                .withName("kept")
                .get();
        assertEquals(job.getStatus(), read.getStatus());
    }

    @Test
    void aStatusDoesNotComeWithTheManifest() {
        IterativeJob job = job("forged");
        job.setStatus(JobStatus.EMPTY.but(draft -> draft.phase = Phase.Succeeded));
        assertEquals(null, server.client().resource(job).create().getStatus());
    }

    @Test
    void twoConditionsOfOneTypeAreRefused() {
        IterativeJob job = server.client().resource(job("twice")).create();
        var ready = new ConditionBuilder().withType("Ready").withStatus("True").build();
        job.setStatus(JobStatus.EMPTY.but(draft -> draft.conditions = List.of(ready, ready)));
        assertThrows(
                KubernetesClientException.class,
                () -> server.client().resource(job).updateStatus());
    }

    @Test
    void explainKnowsEveryField() throws IOException, InterruptedException {
        String text = server.kubectl("explain", "ij.spec.convergence.tolerance");
        assertTrue(text.contains("A positive decimal number, as a string."), text);
    }

    private static IterativeJob running(String name) {
        IterativeJob job = job(name);
        IterativeJob created = server.client().resource(job).create();
        created.setStatus(JobStatus.EMPTY.but(draft -> {
            draft.phase = Phase.Running;
            draft.observedGeneration = 1L;
            draft.certifiedResidual = "3.2e-04";
            draft.tolerance = "1e-6";
            draft.iterations = 12_000L;
            draft.daemons = new DaemonStatus(4, 3, 3, 1);
            draft.replacements = JobStatus.Replacements.of(0, 2, 0);
            draft.retriesUsed = 0;
            draft.selector = "volary.dev/job=" + name;
            draft.leader = name + "-s-1";
            draft.lastCheckpointTime = "2026-01-01T00:00:00Z";
            draft.serials = new JobStatus.Serials(6, 2);
            draft.conditions = List.of(new ConditionBuilder()
                    .withType("Ready")
                    .withStatus("True")
                    .withReason("Iterating")
                    .withMessage("3 of 4 daemons compute")
                    .withLastTransitionTime("2026-01-01T00:00:00Z")
                    .build());
            draft.stateTransitions =
                    List.of(new JobStatus.Transition(Phase.Running, "2026-01-01T00:00:00Z", "Planned", null));
        }));
        return server.client().resource(created).updateStatus();
    }

    private static IterativeJob job(String name) {
        IterativeJob job =
                Serialization.unmarshal("spec: {problem: {type: heat2d}, daemons: {max: 8}}", IterativeJob.class);
        job.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        return job;
    }

    private static List<String> cells(String line) {
        return List.of(line.strip().split("\\s+"));
    }
}

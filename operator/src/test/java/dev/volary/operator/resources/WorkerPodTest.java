// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkerPodTest {
    private static final WorkerImageConfig SETTING = new WorkerImageConfig(
            "volary-worker:1",
            "Never",
            "1Gi",
            "1",
            new NetworkPolicies.OperatorPods("volary-system", Map.of()),
            List.of());

    @Test
    void aJobWithoutTemplatesGetsWholePods() {
        Pod pod = pod("daemons: {replicas: 1}", PodRole.DAEMON, "");
        Container worker = pod.getSpec().getContainers().getFirst();
        assertEquals("volary-worker:1", worker.getImage());
        assertEquals("Never", worker.getImagePullPolicy());
        assertEquals("Always", pod.getSpec().getRestartPolicy());
        assertEquals("heat", pod.getMetadata().getLabels().get("volary.dev/job"));
        assertEquals("daemon", pod.getMetadata().getLabels().get("app.kubernetes.io/component"));
        assertTrue(worker.getResources().getLimits().containsKey("memory"), "the heap is sized from the limit");
        assertEquals(
                "volary-heat-s.lab.svc",
                variable(pod, "VOLARY_SPAWNERS").map(EnvVar::getValue).orElse(""));
        assertFalse(variable(pod, "VOLARY_LEASE").isPresent(), "a daemon has no business with the lease");
    }

    @Test
    void onlyDaemonsAreWorthTheOptimizingCompiler() {
        String quick = "-XX:TieredStopAtLevel=1";
        String spec = "daemons: {replicas: 1}";
        assertTrue(javaOptions(pod(spec, PodRole.SPAWNER, "")).endsWith(quick));
        assertFalse(javaOptions(pod(spec, PodRole.DAEMON, "")).contains(quick));
    }

    @Test
    void fieldsOfATemplateAreKept() {
        Pod pod = pod("""
                daemons:
                  replicas: 1
                  template:
                    metadata: {labels: {team: pde, volary.dev/job: other}, annotations: {note: x}}
                    spec:
                      nodeSelector: {pool: spot}
                      terminationGracePeriodSeconds: 40
                      tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 99}]
                      containers:
                        - name: log
                          image: log:1
                        - name: worker
                          image: mine:2
                          env: [{name: OMP, value: "1"}]
                          resources: {limits: {memory: 4Gi, cpu: "2"}}
                """, PodRole.DAEMON, "");
        assertEquals("spot", pod.getSpec().getNodeSelector().get("pool"));
        assertEquals(40L, pod.getSpec().getTerminationGracePeriodSeconds());
        assertEquals("pde", pod.getMetadata().getLabels().get("team"));
        assertEquals("heat", pod.getMetadata().getLabels().get("volary.dev/job"), "Volary's own labels win");
        assertEquals("x", pod.getMetadata().getAnnotations().get("note"));
        assertEquals(
                List.of("log", "worker"),
                pod.getSpec().getContainers().stream().map(Container::getName).toList());
        Container worker = pod.getSpec().getContainers().get(1);
        assertEquals("mine:2", worker.getImage());
        assertEquals(
                Map.of("memory", new Quantity("4Gi"), "cpu", new Quantity("2")),
                worker.getResources().getRequests());
        assertEquals("OMP", worker.getEnv().getFirst().getName());
        assertEquals(
                99L,
                pod.getSpec().getTolerations().stream()
                        .filter(t -> t.getKey().equals("node.kubernetes.io/unreachable"))
                        .findFirst()
                        .orElseThrow()
                        .getTolerationSeconds());
    }

    @Test
    void aSpawnerRequestsDiskForItsSpoolUnlessItsTemplateDoes() {
        assertEquals(new Quantity("1Gi"), disk("spawners: {replicas: 2}", PodRole.SPAWNER));
        assertEquals(
                new Quantity("7Gi"),
                disk(
                        "spawners: {template: {spec: {containers: [{name: worker, resources: {requests:"
                                + " {ephemeral-storage: 7Gi}}}]}}}",
                        PodRole.SPAWNER));
        assertNull(disk("daemons: {replicas: 1}", PodRole.DAEMON), "a daemon has no spool");
    }

    private static @Nullable Quantity disk(String spec, PodRole role) {
        return pod(spec, role, "")
                .getSpec()
                .getContainers()
                .getFirst()
                .getResources()
                .getRequests()
                .get("ephemeral-storage");
    }

    @Test
    void aGroupsTemplateTakesThePlaceOfTheDaemons() {
        String spec = """
                daemons: {replicas: 1, template: {spec: {nodeSelector: {pool: any}, containers: []}}}
                workerGroups:
                  - {name: spot, template: {spec: {nodeSelector: {pool: spot}, containers: []}}}
                  - {name: plain}
                """;
        assertEquals(
                "spot",
                pod(spec, PodRole.DAEMON, "spot").getSpec().getNodeSelector().get("pool"));
        assertEquals(
                "any",
                pod(spec, PodRole.DAEMON, "plain").getSpec().getNodeSelector().get("pool"));
        assertEquals(
                "spot",
                pod(spec, PodRole.DAEMON, "spot").getMetadata().getLabels().get("volary.dev/worker-group"));
    }

    @Test
    void onlySpawnersGetATokenAndTheVolumeForResults() {
        String spec = """
                result: {destination: Volume, volume: {persistentVolumeClaim: {claimName: results, subPath: c/d}}}
                inputs: [{name: in, persistentVolumeClaim: {claimName: data, subPath: a/b}}]
                """;
        Pod spawner = pod(spec, PodRole.SPAWNER, "");
        Pod daemon = pod(spec, PodRole.DAEMON, "");
        assertTrue(spawner.getSpec().getAutomountServiceAccountToken());
        assertFalse(daemon.getSpec().getAutomountServiceAccountToken());
        assertEquals(List.of("data", "results"), claims(spawner));
        assertEquals(List.of("data"), claims(daemon));
        assertEquals("c/d", mount(spawner, WorkerPod.RESULTS).getSubPath());
        assertEquals(
                "a/b",
                daemon.getSpec().getContainers().getFirst().getVolumeMounts().stream()
                        .filter(m -> m.getMountPath().equals("/var/lib/volary/inputs/in"))
                        .findFirst()
                        .orElseThrow()
                        .getSubPath());
    }

    @Test
    void allWorkersWriteTheCheckpointVolumeAndReadTheOneToRestoreFrom() {
        String spec = """
                checkpoint: {volume: {persistentVolumeClaim: {claimName: ck, subPath: new}}}
                restoreFrom: {persistentVolumeClaim: {claimName: ck, subPath: old}, job: cold}
                """;
        for (PodRole role : PodRole.values()) {
            Pod pod = pod(spec, role, "");
            assertEquals(List.of("ck", "ck"), claims(pod));
            VolumeMount checkpoints = mount(pod, "/var/lib/volary/checkpoints");
            assertFalse(checkpoints.getReadOnly());
            assertEquals("new", checkpoints.getSubPath());
            VolumeMount restore = mount(pod, "/var/lib/volary/restore");
            assertTrue(restore.getReadOnly());
            assertEquals("old", restore.getSubPath());
        }
    }

    @Test
    void workersGetTheCredentialsOfTheStoresThatTheyUse() {
        String spec = """
                inputs:
                - {name: local, persistentVolumeClaim: {claimName: data}}
                - {name: in, objectStore: {bucket: inputs, secretName: of-inputs}, files: [{name: a, sha256: x}]}
                checkpoint: {objectStore: {bucket: state, secretName: of-checkpoints}}
                restoreFrom: {objectStore: {bucket: state, secretName: of-restored}}
                result: {destination: ObjectStore, objectStore: {bucket: results, secretName: of-results}}
                """;
        for (PodRole role : PodRole.values()) {
            Pod pod = pod(spec, role, "");
            assertEquals("of-inputs", secret(pod, "/etc/volary/input-store-1"));
            assertEquals("of-checkpoints", secret(pod, "/etc/volary/checkpoint-store"));
            assertEquals("of-restored", secret(pod, "/etc/volary/restore-store"));
            assertEquals(List.of("data"), claims(pod));
        }
        assertEquals("of-results", secret(pod(spec, PodRole.SPAWNER, ""), "/etc/volary/result-store"));
        assertFalse(pod(spec, PodRole.DAEMON, "").getSpec().getVolumes().stream()
                .anyMatch(volume -> volume.getName().equals("volary-result-store")));
    }

    private static String secret(Pod pod, String path) {
        VolumeMount mount = mount(pod, path);
        assertTrue(mount.getReadOnly());
        return pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals(mount.getName()))
                .findFirst()
                .orElseThrow()
                .getSecret()
                .getSecretName();
    }

    private static VolumeMount mount(Pod pod, String path) {
        return pod.getSpec().getContainers().getFirst().getVolumeMounts().stream()
                .filter(m -> m.getMountPath().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private static String javaOptions(Pod pod) {
        return variable(pod, "JDK_JAVA_OPTIONS").orElseThrow().getValue();
    }

    private static Optional<EnvVar> variable(Pod pod, String name) {
        return pod.getSpec().getContainers().getFirst().getEnv().stream()
                .filter(variable -> variable.getName().equals(name))
                .findFirst();
    }

    private static List<String> claims(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .filter(v -> v.getPersistentVolumeClaim() != null)
                .map(v -> v.getPersistentVolumeClaim().getClaimName())
                .toList();
    }

    static IterativeJob job(String spec) {
        return Serialization.unmarshal("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: heat, namespace: lab, uid: u1, generation: 1}
                spec:
                  problem: {type: heat2d, parameters: {points: 63, omega: 1.5, exact: true, boundary: Series}}
                """ + spec.indent(2), IterativeJob.class);
    }

    private static Pod pod(String spec, PodRole role, String group) {
        return WorkerPod.of(job(spec), new PodName(role, 3), group, SETTING);
    }
}

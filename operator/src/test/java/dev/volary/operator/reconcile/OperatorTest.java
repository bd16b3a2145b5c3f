// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Phase;
import dev.volary.job.testkit.LocalApiServer;
import dev.volary.job.testkit.NeedsApiServer;
import dev.volary.mesh.arbiter.LeaseArbiter;
import dev.volary.operator.metrics.OperatorMetrics;
import dev.volary.operator.pod.ObservedNode;
import dev.volary.operator.resources.NetworkPolicies;
import dev.volary.operator.resources.WorkerImageConfig;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.Conditions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The operator against a real API server; scheduler, kubelet and spawners are played. */
@NeedsApiServer
class OperatorTest {
    @RegisterExtension
    static final ApiServerExtension SERVER = new ApiServerExtension();

    private final LocalApiServer api = SERVER.api();
    private final KubernetesClient client = api.client();
    private final String namespace = api.namespace();

    private final FakeSpawnerClients spawners = new FakeSpawnerClients();
    private final OperatorMetrics metrics = new OperatorMetrics();
    private final List<AutoCloseable> started = new ArrayList<>();
    private String lastLook = "";

    @AfterEach
    void stopWhatWasStarted() throws Exception {
        for (AutoCloseable each : started.reversed()) {
            each.close();
        }
    }

    @Test
    void everythingAJobConsistsOfIsCreatedAndOwnedByIt() {
        operator("a", false);
        IterativeJob job = apply("heat", "daemons: {replicas: 2, standbys: 1}; spawners: {replicas: 1}");
        until().untilAsserted(() -> assertEquals(Set.of("heat-s-0", "heat-d-0", "heat-d-1", "heat-d-2"), pods()));
        List<HasMetadata> objects = PlayedCluster.objects(client, namespace);
        assertEquals(
                new TreeSet<>(Set.of(
                        "ConfigMap volary-heat-job",
                        "Lease heat-lead",
                        "NetworkPolicy volary-heat-daemons",
                        "NetworkPolicy volary-heat-spawners",
                        "Role volary-heat-spawner",
                        "RoleBinding volary-heat-spawner",
                        "Secret volary-heat-ca",
                        "Secret volary-heat-d-0-identity",
                        "Secret volary-heat-d-1-identity",
                        "Secret volary-heat-d-2-identity",
                        "Secret volary-heat-s-0-identity",
                        "Service volary-heat-d",
                        "Service volary-heat-s",
                        "ServiceAccount volary-heat-spawner")),
                objects.stream()
                        .filter(o -> !(o instanceof Pod))
                        .map(o -> o.getKind() + " " + o.getMetadata().getName())
                        .collect(Collectors.toCollection(TreeSet::new)));
        for (HasMetadata object : objects) {
            OwnerReference owner = object.getMetadata().getOwnerReferences().getFirst();
            assertEquals(
                    job.getMetadata().getUid(),
                    owner.getUid(),
                    object.getMetadata().getName());
            assertTrue(owner.getController(), object.getMetadata().getName());
        }
        assertEquals(
                List.of("heat-lead"),
                client.rbac()
                        .roles()
                        .inNamespace(namespace)
                        .withName("volary-heat-spawner")
                        .get()
                        .getRules()
                        .getFirst()
                        .getResourceNames());
    }

    @Test
    void theIdentityOfAPodIsThereBeforeThePod() {
        operator("a", false);
        apply("heat", "daemons: {replicas: 2}; spawners: {replicas: 1}");
        until().until(() -> pods().size() == 3);
        for (String name : pods()) {
            // Without a kubelet a pod is never changed, so its version tells when it was created.
            long created = Long.parseLong(pod(name).getMetadata().getResourceVersion());
            long issued = Long.parseLong(client.secrets()
                    .inNamespace(namespace)
                    .withName("volary-" + name + "-identity")
                    .get()
                    .getMetadata()
                    .getResourceVersion());
            assertTrue(issued < created, () -> name + " was created at " + created + ", its identity at " + issued);
        }
    }

    @Test
    void daemonsHaveNoRightsAndOnlyTheirOwnIdentity() {
        operator("a", false);
        apply("heat", "daemons: {replicas: 1}; spawners: {replicas: 1}");
        until().until(() -> pods().size() == 2);
        Pod daemon = pod("heat-d-0");
        assertFalse(daemon.getSpec().getAutomountServiceAccountToken());
        assertEquals(
                List.of("volary-heat-d-0-identity"),
                daemon.getSpec().getVolumes().stream()
                        .filter(v -> v.getSecret() != null)
                        .map(v -> v.getSecret().getSecretName())
                        .toList());
        assertTrue(
                daemon.getSpec().getContainers().getFirst().getSecurityContext().getReadOnlyRootFilesystem());
        assertEquals("volary-heat-spawner", pod("heat-s-0").getSpec().getServiceAccountName());
    }

    @Test
    void aJobGoesThroughItsPhasesToACertifiedAnswer() {
        operator("a", false);
        kubelet();
        apply("heat", "daemons: {replicas: 2}; spawners: {replicas: 1}");
        until().until(() -> phase("heat") == Phase.Forming && pods().size() == 3);
        spawners.say("heat", report(JobReport.Stage.RUNNING, null, 10));
        until().until(() -> phase("heat") == Phase.Running);
        until().until(() -> condition("heat", "Ready").equals("True EnoughDaemons"));
        spawners.say("heat", report(JobReport.Stage.FINISHED, new JobReport.End.Certified(5e-7), 20));
        until().until(() -> phase("heat") == Phase.Succeeded);
        until().untilAsserted(() -> assertEquals(Set.of("heat-s-0"), pods()));
        assertEquals("5.000e-07", status("heat").certifiedResidual());
        assertEquals(
                List.of(Phase.Pending, Phase.Forming, Phase.Running, Phase.Succeeded),
                status("heat").stateTransitions().stream()
                        .map(JobStatus.Transition::phase)
                        .toList());
        assertTrue(events("heat").containsAll(Set.of("Accepted", "Forming", "Running", "Succeeded")));
    }

    @Test
    void aJobWhoseWorkersCannotAllWriteItsClaimWaitsAndNamesTheClaim() {
        operator("a", false);
        client.resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("ck")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOncePod")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .build())
                .create();
        apply(
                "heat",
                "daemons: {replicas: 2}; spawners: {replicas: 1};"
                        + " checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}");
        until().until(() -> condition("heat", "Ready").equals("False InvalidSpec"));
        assertEquals(
                "spec.checkpoint.volume.persistentVolumeClaim.claimName is \"ck\", which allows ReadWriteOncePod, but 3"
                        + " workers write it; use a claim that allows ReadWriteMany, or objectStore",
                Conditions.find(status("heat").conditions(), ConditionType.Ready)
                        .orElseThrow()
                        .getMessage());
        assertEquals(Set.of(), pods());
    }

    @Test
    void aSuspendedJobIsCheckpointedThenLosesItsPodsAndItsLeaderAndContinuesLater() {
        operator("a", false);
        kubelet();
        apply(
                "heat",
                "daemons: {replicas: 2}; spawners: {replicas: 1};"
                        + " checkpoint: {volume: {persistentVolumeClaim: {claimName: ck}}}");
        until().until(() -> pods().size() == 3);
        spawners.say("heat", report(JobReport.Stage.RUNNING, null, 10));
        until().until(() -> phase("heat") == Phase.Running);
        var lease = client.leases().inNamespace(namespace).withName("heat-lead");
        Lease led = lease.get();
        led.getSpec().setHolderIdentity("1f");
        led.getSpec().setLeaseTransitions(3);
        led.getMetadata().setAnnotations(Map.of(LeaseArbiter.MEMBERS, "1f,2f"));
        client.resource(led).update();

        spawners.checkpoint = new SpawnerClients.Checkpoint(false, "the disk is full");
        suspend("heat", true);
        until().until(() -> condition("heat", "Suspended").equals("False NoCheckpoint"));
        assertEquals("the disk is full", message("heat", "Suspended"));
        assertEquals(3, pods().size());
        until().until(() -> notes("heat", "CheckpointRefused").equals(List.of("the disk is full")));
        suspend("heat", false);
        until().until(() -> condition("heat", "Suspended").equals("False NotSuspended"));

        spawners.checkpoint = new SpawnerClients.Checkpoint(true, "snapshot 7, on the volume");
        int before = spawners.checkpoints.get();
        suspend("heat", true);
        until().until(() -> phase("heat") == Phase.Suspended && pods().isEmpty());
        assertEquals(before + 1, spawners.checkpoints.get());
        assertEquals("True NoPods", condition("heat", "Suspended"));
        assertTrue(status("heat").lastCheckpointTime() != null, status("heat")::toString);
        until().until(() -> lease.get().getSpec().getHolderIdentity() == null);
        assertEquals(3, lease.get().getSpec().getLeaseTransitions());
        assertFalse(String.valueOf(lease.get().getMetadata().getAnnotations()).contains(LeaseArbiter.MEMBERS));

        suspend("heat", false);
        until().until(() -> phase("heat") == Phase.Running && pods().size() == 3);
        assertEquals(
                List.of(
                        Phase.Pending,
                        Phase.Forming,
                        Phase.Running,
                        Phase.Suspending,
                        Phase.Suspended,
                        Phase.Forming,
                        Phase.Running),
                status("heat").stateTransitions().stream()
                        .map(JobStatus.Transition::phase)
                        .toList());
    }

    private void suspend(String job, boolean wanted) {
        client.resources(IterativeJob.class)
                .inNamespace(namespace)
                .withName(job)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"suspend\": " + wanted + "}}");
    }

    @Test
    void aProblemThatTheWorkersDoNotHaveIsReportedWithItsRemedyInConditionAndEvent() {
        operator("a", false);
        kubelet();
        apply("heat", "daemons: {replicas: 2}; spawners: {replicas: 1}");
        until().until(() -> pods().size() == 3);
        String text = "spec.problem.type is \"heat3d\", but the workers' image has no such problem; use one of "
                + String.join(", ", Collections.nCopies(20, "some-solver-of-ours"))
                + ", or put the jar that brings it into the image's folder /opt/volary/solvers";
        spawners.say("heat", report(JobReport.Stage.FINISHED, new JobReport.End.Failed(text), 0));
        until().until(() -> condition("heat", "Failed").equals("True JobFailed"));
        assertEquals(text, message("heat", "Failed"));
        until().until(() -> notes("heat", "Failed").equals(List.of(text)));
    }

    @Test
    void aFailedJobKeepsItsSpawnersForTheirLogsAndEndsTheirContainers() {
        operator("a", false);
        kubelet();
        apply("heat", "daemons: {replicas: 2}; spawners: {replicas: 1}");
        until().until(() -> pods().size() == 3);
        spawners.say("heat", report(JobReport.Stage.FINISHED, new JobReport.End.Failed("no"), 20));
        until().until(() -> pods().equals(Set.of("heat-s-0")));
        until().until(() -> Objects.equals(pod("heat-s-0").getSpec().getActiveDeadlineSeconds(), 1L));
    }

    @Test
    void aFinishedJobIsNotStartedAgainByANewOperator() throws Exception {
        RunningOperator first = operator("a", false);
        kubelet();
        apply("heat", "daemons: {replicas: 2}; spawners: {replicas: 1}");
        until().until(() -> pods().size() == 3);
        spawners.say("heat", report(JobReport.Stage.FINISHED, new JobReport.End.Failed("no"), 20));
        until().until(() -> phase("heat") == Phase.Failed && pods().equals(Set.of("heat-s-0")));
        JobStatus end = status("heat");
        first.close();
        started.remove(first);
        OperatorMetrics fresh = new OperatorMetrics();
        operator("b", false, fresh);
        spawners.say("heat", report(JobReport.Stage.RUNNING, null, 30));
        until().until(() -> fresh.reconciles() > 0);
        touch("heat");
        until().until(() -> fresh.reconciles() > 1);
        assertEquals(end, status("heat"));
        assertEquals(Set.of("heat-s-0"), pods());
        assertEquals(0, fresh.patches());
    }

    @Test
    void aRestartedOperatorTakesOverWithoutDuplicates() throws Exception {
        RunningOperator first = operator("a", false);
        kubelet();
        apply("heat", "daemons: {replicas: 3, standbys: 1}");
        until().until(() -> pods().size() == 6);
        spawners.say("heat", report(JobReport.Stage.RUNNING, null, 10));
        until().until(() -> condition("heat", "Degraded").equals("False Complete"));
        Set<String> before = pods();
        first.close();
        started.remove(first);
        client.pods()
                .inNamespace(namespace)
                .withName("heat-d-1")
                .withGracePeriod(0)
                .delete();
        OperatorMetrics fresh = new OperatorMetrics();
        operator("b", false, fresh);
        until().until(() -> pods().size() == 6 && !pods().contains("heat-d-1"));
        Set<String> added = new HashSet<>(pods());
        added.removeAll(before);
        assertEquals(1, added.size());
        until().untilAsserted(() -> assertEquals(
                new JobStatus.Replacements(1, 0, 1, 0), status("heat").replacements()));
    }

    @Test
    void aJobThatIsDeletedAtAnyMomentLeavesNoSeries() throws InterruptedException {
        operator("a", false);
        Random random = new Random(1);
        for (int i = 0; i < 40; i++) {
            IterativeJob job = apply("brief-" + i, "daemons: {replicas: 1}; spawners: {replicas: 1}");
            Thread.sleep(random.nextInt(100)); // some are deleted while they are reconciled
            client.resource(job).delete();
        }
        until().until(() -> client.resources(IterativeJob.class)
                .inNamespace(namespace)
                .list()
                .getItems()
                .isEmpty());
        until().during(Duration.ofSeconds(2)).untilAsserted(() -> assertEquals(Set.of(), jobsShown()));
    }

    private Set<String> jobsShown() {
        return metrics.registry().scrape().stream()
                .flatMap(series -> series.getDataPoints().stream())
                .map(point -> point.getLabels().get("job_name"))
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void aJobOnWhichNothingHappensCostsNoRequests() {
        operator("a", false);
        kubelet();
        apply("heat", "daemons: {replicas: 3, standbys: 1}");
        until().until(() -> pods().size() == 6);
        spawners.say("heat", report(JobReport.Stage.RUNNING, null, 10));
        until().until(() -> condition("heat", "Degraded").equals("False Complete"));
        until().during(Duration.ofSeconds(2)).until(this::hasNotChangedSinceTheLastLook);
        long patches = metrics.patches();
        long changes = metrics.changes();
        for (int i = 0; i < 3; i++) {
            long passes = metrics.reconciles();
            touch("heat");
            until().until(() -> metrics.reconciles() > passes);
        }
        assertEquals(patches, metrics.patches(), "patches of a status that did not change");
        assertEquals(changes, metrics.changes(), "writing requests though nothing happened");
    }

    @Test
    void anEvictionIsReplacedAndDoesNotUseTheRetryBudget() {
        operator("a", false);
        kubelet();
        apply("heat", "daemons: {replicas: 2}; spawners: {replicas: 1}; failurePolicy: {maxRetries: 0}");
        until().until(() -> pods().size() == 3);
        spawners.say("heat", report(JobReport.Stage.RUNNING, null, 10));
        until().until(() -> condition("heat", "Degraded").equals("False Complete"));
        Pod evicted = pod("heat-d-0");
        client.resource(new PodBuilder(evicted)
                        .editStatus()
                        .withPhase("Failed")
                        .withReason("Evicted")
                        .withContainerStatuses(List.of())
                        .endStatus()
                        .build())
                .updateStatus();
        until().until(() -> pods().contains("heat-d-2"));
        until().untilAsserted(() -> assertEquals(
                new JobStatus.Replacements(1, 0, 1, 0), status("heat").replacements()));
        assertEquals(Phase.Running, phase("heat"));
        until().until(() -> spawners.hints.contains("heat-d-0 GONE"));
    }

    @Test
    void aFullQuotaIsShownAndThenOvercome() {
        client.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("few")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of("pods", new Quantity("2")))
                        .endSpec()
                        .build())
                .create();
        // Only admission itself counts here, and it begins from the status.
        client.resourceQuotas()
                .inNamespace(namespace)
                .withName("few")
                .editStatus(q -> new ResourceQuotaBuilder(q)
                        .withNewStatus()
                        .withHard(Map.of("pods", new Quantity("2")))
                        .withUsed(Map.of("pods", new Quantity("0")))
                        .endStatus()
                        .build());
        operator("a", false);
        apply("heat", "daemons: {replicas: 2}; spawners: {replicas: 1}");
        until().until(() -> condition("heat", "Ready").equals("False QuotaExceeded"));
        until().until(() -> events("heat").contains("PodRefused"));
        client.resourceQuotas().inNamespace(namespace).withName("few").delete();
        until().until(() -> pods().size() == 3);
    }

    @Test
    void wherePodSecurityIsRestrictedWorkersAreTakenAndATemplateThatWantsMoreIsRefusedByName() {
        client.namespaces().withName(namespace).edit(n -> {
            n.getMetadata().getLabels().put("pod-security.kubernetes.io/enforce", "restricted");
            return n;
        });
        operator("a", false);
        apply("heat", "daemons: {replicas: 1}; spawners: {replicas: 1}");
        until().until(() -> pods().equals(Set.of("heat-s-0", "heat-d-0")));
        apply(
                "host",
                "daemons: {replicas: 1, template: {spec: {hostNetwork: true, containers: [{name: worker}]}}}; spawners: {replicas: 1}");
        until().until(() -> condition("host", "Ready").equals("False PodSecurityViolated"));
        assertTrue(message("host", "Ready").contains("hostNetwork"), message("host", "Ready"));
    }

    @Test
    void aJobOfAnotherManagerIsLeftAlone() {
        operator("a", false);
        apply("theirs", "daemons: {replicas: 1}; managedBy: kueue.x-k8s.io/multikueue");
        apply("ours", "daemons: {replicas: 1}; spawners: {replicas: 1}");
        until().until(() -> pods().equals(Set.of("ours-d-0", "ours-s-0")));
        assertEquals(Optional.empty(), Optional.ofNullable(get("theirs").getStatus()));
    }

    @Test
    void ofTwoOperatorsOneLeadsAndTheOtherTakesOver() throws Exception {
        RunningOperator first = operator("a", true);
        OperatorMetrics other = new OperatorMetrics();
        operator("b", true, other);
        apply("heat", "daemons: {replicas: 2}; spawners: {replicas: 1}");
        until().until(() -> pods().size() == 3);
        assertEquals("a", holder());
        assertEquals(0, other.patches());
        first.close();
        started.remove(first);
        until().until(() -> "b".equals(holder()));
        apply("next", "daemons: {replicas: 1}; spawners: {replicas: 1}");
        until().until(() -> pods().size() == 5);
        assertTrue(other.patches() > 0);
    }

    @Test
    void theRightsThatTheChartGivesSuffice() throws IOException {
        ChartRights.grant(client, namespace, "operator");
        Config limited = api.config();
        limited.setImpersonateUsername("system:serviceaccount:" + namespace + ":operator");
        limited.setImpersonateGroups("system:serviceaccounts", "system:authenticated");
        operator(limited, "a", true, metrics);
        kubelet();
        apply("heat", "daemons: {replicas: 1}; spawners: {replicas: 1}; ttlSecondsAfterFinished: 1");
        until().until(() -> pods().size() == 2);
        spawners.say("heat", report(JobReport.Stage.RUNNING, null, 10));
        until().until(() -> condition("heat", "Degraded").equals("False Complete"));
        client.pods().inNamespace(namespace).withName("heat-d-0").delete();
        until().until(() -> pods().contains("heat-d-1") && !pods().contains("heat-d-0"));
        until().until(() -> client.secrets()
                        .inNamespace(namespace)
                        .withName("volary-heat-d-0-identity")
                        .get()
                == null);
        spawners.say("heat", report(JobReport.Stage.FINISHED, new JobReport.End.Certified(5e-7), 20));
        until().until(() -> get("heat") == null);
        assertEquals(0, metrics.refused(), "requests that the API server forbade");
    }

    @Test
    void aClockThatJumpsByAnHourNeitherEndsAJobNorDelaysARepair() {
        JumpingClock clock = new JumpingClock();
        RunningOperator operator = operator(api.config(), "a", false, metrics, clock);
        kubelet();
        apply("heat", "daemons: {replicas: 2}; spawners: {replicas: 1}; preRunningDeadlineSeconds: 600");
        until().until(() -> pods().size() == 3);
        spawners.say("heat", report(JobReport.Stage.RUNNING, null, 10));
        until().until(() -> phase("heat") == Phase.Running);
        clock.jump(Duration.ofHours(1));
        client.resource(pod("heat-d-0")).delete();
        until().until(() -> pods().equals(Set.of("heat-s-0", "heat-d-1", "heat-d-2")));
        until().until(() -> lost("heat") == 1);
        clock.jump(Duration.ofHours(-2));
        client.resource(pod("heat-d-1")).delete();
        until().until(() -> pods().equals(Set.of("heat-s-0", "heat-d-2", "heat-d-3")));
        until().until(() -> lost("heat") == 2);
        assertEquals(Phase.Running, phase("heat"));
        assertTrue(operator.isHealthy());
        spawners.say("heat", report(JobReport.Stage.FINISHED, new JobReport.End.Certified(5e-7), 20));
        until().until(() -> phase("heat") == Phase.Succeeded);
    }

    /** The API server of this test copies the label of a node to a pod when the pod is bound, not later; older ones never do. */
    @Test
    void aConditionSaysThatPodsDoNotCarryTheZoneOfTheirNode() {
        String node = "node-of-" + namespace;
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(node)
                        .endMetadata()
                        .build())
                .create();
        try {
            operator("a", false);
            started.add(new FakeKubelet(client, namespace, node));
            apply("old", "daemons: {replicas: 1}; spawners: {replicas: 1}");
            until().until(() -> pods().size() == 2 && phase("old") == Phase.Forming);
            until().until(() -> pods().stream()
                    .allMatch(name -> node.equals(pod(name).getSpec().getNodeName())));
            assertEquals("", condition("old", "ZonesKnown"), "the node has no zone");
            client.nodes().withName(node).edit(n -> {
                n.getMetadata().setLabels(Map.of(ObservedNode.ZONE, "z1"));
                return n;
            });
            until().until(() -> condition("old", "ZonesKnown").equals("False ZonesHidden"));
            assertEquals(
                    "2 pods, such as old-d-0, do not carry the label topology.kubernetes.io/zone of their nodes",
                    message("old", "ZonesKnown"));

            apply("new", "daemons: {replicas: 1}; spawners: {replicas: 1}");
            until().until(() -> Set.of("new-s-0", "new-d-0").stream()
                    .allMatch(name -> pods().contains(name)
                            && "z1".equals(pod(name).getMetadata().getLabels().get(ObservedNode.ZONE))));
            spawners.say("new", report(JobReport.Stage.RUNNING, null, 10));
            until().until(() -> condition("new", "Ready").equals("True EnoughDaemons"));
            assertEquals("", condition("new", "ZonesKnown"));
        } finally {
            client.nodes().withName(node).delete();
        }
    }

    private String holder() {
        var lease = client.leases()
                .inNamespace(namespace)
                .withName(OperatorSettings.LEASE)
                .get();
        return lease == null ? "" : String.valueOf(lease.getSpec().getHolderIdentity());
    }

    private RunningOperator operator(String name, boolean election) {
        return operator(name, election, metrics);
    }

    private RunningOperator operator(String name, boolean election, OperatorMetrics counts) {
        return operator(api.config(), name, election, counts);
    }

    private RunningOperator operator(Config access, String name, boolean election, OperatorMetrics counts) {
        return operator(access, name, election, counts, Clock.systemUTC());
    }

    private RunningOperator operator(
            Config access, String name, boolean election, OperatorMetrics counts, Clock clock) {
        RunningOperator operator = RunningOperator.start(
                access,
                new OperatorSettings(
                        Set.of(namespace),
                        access.getImpersonateUsername() == null, // in one namespace nodes may not be read
                        name,
                        election,
                        false,
                        4,
                        new WorkerImageConfig(
                                "volary-worker:test",
                                "",
                                "",
                                "test",
                                new NetworkPolicies.OperatorPods(namespace, Map.of("app", "operator")),
                                List.of()),
                        Optional.empty()),
                counts,
                authorities -> spawners,
                clock,
                Intervals.STANDARD);
        started.add(operator);
        return operator;
    }

    private void kubelet() {
        started.add(new FakeKubelet(client, namespace));
    }

    private IterativeJob apply(String name, String spec) {
        return client.resource(Serialization.unmarshal(
                        """
                        apiVersion: volary.dev/v1alpha1
                        kind: IterativeJob
                        metadata: {name: %s, namespace: %s}
                        spec:
                          problem: {type: heat2d, parameters: {points: 63}}
                        """.formatted(name, namespace)
                                + spec.replace("; ", "\n").indent(2),
                        IterativeJob.class))
                .create();
    }

    /** Changes an annotation, so that the job is looked at again. */
    private void touch(String job) {
        client.resources(IterativeJob.class)
                .inNamespace(namespace)
                .withName(job)
                .edit(j -> {
                    j.getMetadata().setAnnotations(Map.of("touched", Long.toString(System.nanoTime())));
                    return j;
                });
    }

    private IterativeJob get(String job) {
        return client.resources(IterativeJob.class)
                .inNamespace(namespace)
                .withName(job)
                .get();
    }

    private boolean hasNotChangedSinceTheLastLook() {
        String before = lastLook;
        lastLook = version("heat");
        return lastLook.equals(before);
    }

    private String version(String job) {
        return get(job).getMetadata().getResourceVersion();
    }

    private JobStatus status(String job) {
        JobStatus status = get(job).getStatus();
        return status == null ? JobStatus.EMPTY : status;
    }

    private Phase phase(String job) {
        Phase phase = status(job).phase();
        return phase == null ? Phase.Pending : phase;
    }

    private String condition(String job, String type) {
        return status(job).conditions().stream()
                .filter(c -> c.getType().equals(type))
                .map(c -> c.getStatus() + " " + c.getReason())
                .findFirst()
                .orElse("");
    }

    private int lost(String job) {
        JobStatus.Replacements replacements = status(job).replacements();
        return replacements == null ? 0 : replacements.total();
    }

    private String message(String job, String type) {
        return status(job).conditions().stream()
                .filter(c -> c.getType().equals(type))
                .map(c -> c.getMessage())
                .findFirst()
                .orElse("");
    }

    private List<String> notes(String job, String reason) {
        return client.events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(e ->
                        e.getRegarding().getName().equals(job) && e.getReason().equals(reason))
                .map(e -> e.getNote())
                .toList();
    }

    private Set<String> pods() {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .map(p -> p.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    private Pod pod(String name) {
        return client.pods().inNamespace(namespace).withName(name).get();
    }

    private Set<String> events(String job) {
        return client.events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(e -> e.getRegarding().getName().equals(job))
                .map(e -> e.getReason())
                .collect(Collectors.toSet());
    }

    private JobReport report(JobReport.Stage stage, JobReport.@Nullable End end, long iterations) {
        Set<String> daemons = pods().stream().filter(p -> p.contains("-d-")).collect(Collectors.toSet());
        return new JobReport(
                stage,
                Optional.ofNullable(end),
                "heat-s-0",
                1e-5,
                1,
                1e-6,
                1,
                iterations,
                2,
                0,
                2,
                daemons,
                Set.of(),
                Set.of(),
                JobReport.Results.NONE,
                Optional.empty(),
                Optional.empty());
    }

    private static ConditionFactory until() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Labels;
import dev.volary.job.resource.Names;
import dev.volary.job.spec.ClaimSpec;
import dev.volary.job.spec.InputSpec;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.RestoreSpec;
import dev.volary.job.spec.VolumeSpec;
import dev.volary.job.spec.WorkerGroupSpec;
import dev.volary.operator.pod.ObservedNode;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EmptyDirVolumeSource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds the pod of a worker from the user's template. Overrides the template only where the protocol or security requires it.
 */
public final class WorkerPod {
    static final String CHECKPOINTS = "/var/lib/volary/checkpoints";
    static final String RESTORE = "/var/lib/volary/restore";
    static final String RESULTS = "/var/lib/volary/results";

    private static final long USER = 65532;
    /** About the time between notice and power-off on cloud platforms. */
    private static final long GRACE_SECONDS = 15;
    /** A spawner that alone holds the result of a job ends when a replacement has started and copied it. */
    private static final long SPAWNER_GRACE_SECONDS = 60;

    private static final long TOLERATED_SECONDS = 30;
    private static final List<String> LOST_NODE =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private WorkerPod() {}

    /** The pod with this name, in a worker group if {@code group} is not empty. */
    public static Pod of(IterativeJob job, PodName podName, String group, WorkerImageConfig config) {
        PodTemplateSpec template = template(job.getSpec(), podName.role(), group);
        PodSpec given = template.getSpec() == null ? new PodSpec() : template.getSpec();
        return new PodBuilder()
                .withMetadata(new ObjectMetaBuilder(OwnedMetadata.meta(
                                job, podName.of(job.getMetadata().getName())))
                        .withLabels(labels(job, podName.role(), group, template))
                        .withAnnotations(
                                template.getMetadata() == null
                                        ? null
                                        : template.getMetadata().getAnnotations())
                        .build())
                .withSpec(spec(job, podName, given, config))
                .build();
    }

    private static PodTemplateSpec template(JobSpec spec, PodRole role, String group) {
        @Nullable PodTemplateSpec template = role == PodRole.SPAWNER
                ? spec.spawners().template()
                : spec.workerGroups().stream()
                        .filter(g -> g.name().equals(group))
                        .map(WorkerGroupSpec::template)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(spec.daemons().template());
        return template == null ? new PodTemplateSpec() : template;
    }

    private static Map<String, String> labels(IterativeJob job, PodRole role, String group, PodTemplateSpec template) {
        Map<String, String> labels = new TreeMap<>();
        if (template.getMetadata() != null && template.getMetadata().getLabels() != null) {
            labels.putAll(template.getMetadata().getLabels());
        }
        labels.putAll(Labels.of(job.getMetadata().getName(), role.label()));
        if (!group.isEmpty()) {
            labels.put(Labels.WORKER_GROUP, group);
        }
        return labels;
    }

    private static PodSpec spec(IterativeJob job, PodName podName, PodSpec given, WorkerImageConfig config) {
        String name = job.getMetadata().getName();
        boolean spawner = podName.role() == PodRole.SPAWNER;
        PodSpecBuilder spec = new PodSpecBuilder(given)
                .withRestartPolicy("Always")
                .withAutomountServiceAccountToken(spawner)
                .withEnableServiceLinks(false)
                .withContainers(containers(job, podName, given, config))
                .withSecurityContext(security(given.getSecurityContext()))
                .addToVolumes(volumes(job, podName).toArray(Volume[]::new));
        if (spawner) {
            spec.withServiceAccountName(Names.spawnerAccount(name));
        }
        if (given.getTerminationGracePeriodSeconds() == null) {
            spec.withTerminationGracePeriodSeconds(spawner ? SPAWNER_GRACE_SECONDS : GRACE_SECONDS);
        }
        if (given.getTopologySpreadConstraints() == null
                || given.getTopologySpreadConstraints().isEmpty()) {
            spec.withTopologySpreadConstraints(
                    spread(name, podName.role(), ObservedNode.ZONE),
                    spread(name, podName.role(), "kubernetes.io/hostname"));
        }
        spec.addToTolerations(tolerations(given).toArray(Toleration[]::new));
        return spec.build();
    }

    private static PodSecurityContext security(@Nullable PodSecurityContext given) {
        PodSecurityContextBuilder security =
                given == null ? new PodSecurityContextBuilder() : new PodSecurityContextBuilder(given);
        security.withRunAsNonRoot(true);
        if (given == null || given.getRunAsUser() == null) {
            security.withRunAsUser(USER);
        }
        if (given == null || given.getRunAsGroup() == null) {
            security.withRunAsGroup(USER);
        }
        if (given == null || given.getFsGroup() == null) {
            security.withFsGroup(USER);
        }
        if (given == null || given.getSeccompProfile() == null) {
            security.withNewSeccompProfile().withType("RuntimeDefault").endSeccompProfile();
        }
        return security.build();
    }

    /**
     * Evicts pods of a lost node after 30 s instead of minutes, since they are replaced long before. Not at once, because after
     * an outage of the API server healthy nodes look lost for a while.
     */
    private static List<Toleration> tolerations(PodSpec given) {
        List<Toleration> own = given.getTolerations() == null ? List.of() : given.getTolerations();
        return LOST_NODE.stream()
                .filter(key -> own.stream().noneMatch(t -> key.equals(t.getKey())))
                .map(key -> new TolerationBuilder()
                        .withKey(key)
                        .withOperator("Exists")
                        .withEffect("NoExecute")
                        .withTolerationSeconds(TOLERATED_SECONDS)
                        .build())
                .toList();
    }

    private static TopologySpreadConstraint spread(String job, PodRole role, String key) {
        return new TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey(key)
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withNewLabelSelector()
                .withMatchLabels(Labels.select(job, role.label()))
                .endLabelSelector()
                .build();
    }

    private static List<Container> containers(
            IterativeJob job, PodName podName, PodSpec given, WorkerImageConfig config) {
        List<Container> containers = new ArrayList<>(given.getContainers() == null ? List.of() : given.getContainers());
        Optional<Container> own = containers.stream()
                .filter(c -> c.getName().equals(Names.CONTAINER))
                .findFirst();
        Container worker = WorkerContainer.complete(
                own.orElse(new ContainerBuilder().withName(Names.CONTAINER).build()), job, podName, config);
        if (own.isPresent()) {
            containers.set(containers.indexOf(own.get()), worker);
        } else {
            containers.addFirst(worker);
        }
        return containers;
    }

    private static List<Volume> volumes(IterativeJob job, PodName podName) {
        String name = job.getMetadata().getName();
        List<Volume> volumes = new ArrayList<>();
        volumes.add(new VolumeBuilder()
                .withName("volary-job")
                .withNewConfigMap()
                .withName(Names.description(name))
                .endConfigMap()
                .build());
        volumes.add(new VolumeBuilder()
                .withName("volary-tls")
                .withNewSecret()
                .withSecretName(Names.identity(podName.of(name)))
                .withDefaultMode(0440)
                .endSecret()
                .build());
        volumes.add(empty("volary-tmp"));
        volumes.add(empty("volary-spool"));
        for (InputSpec input : job.getSpec().inputs()) {
            @Nullable ClaimSpec claim = input.persistentVolumeClaim();
            if (claim != null) {
                volumes.add(claimed("volary-input-" + input.name(), claim, true));
            }
        }
        @Nullable VolumeSpec checkpoints = job.getSpec().checkpoint().volume();
        if (checkpoints != null) {
            volumes.add(claimed("volary-checkpoints", checkpoints.persistentVolumeClaim(), false));
        }
        @Nullable RestoreSpec restore = job.getSpec().restoreFrom();
        @Nullable ClaimSpec restored = restore == null ? null : restore.persistentVolumeClaim();
        if (restored != null) {
            // the claim may also be that of the checkpoints, so only the mount is read-only
            volumes.add(claimed("volary-restore", restored, false));
        }
        @Nullable VolumeSpec results = job.getSpec().result().volume();
        if (podName.role() == PodRole.SPAWNER && results != null) {
            volumes.add(claimed("volary-results", results.persistentVolumeClaim(), false));
        }
        for (StoreAccess store : StoreAccess.of(job.getSpec(), podName.role())) {
            store.secret()
                    .ifPresent(secret -> volumes.add(new VolumeBuilder()
                            .withName(store.volume())
                            .withNewSecret()
                            .withSecretName(secret)
                            .withDefaultMode(0440)
                            .endSecret()
                            .build()));
        }
        return volumes;
    }

    private static Volume empty(String name) {
        return new VolumeBuilder()
                .withName(name)
                .withEmptyDir(new EmptyDirVolumeSource())
                .build();
    }

    private static Volume claimed(String name, ClaimSpec claim, boolean readOnly) {
        return new VolumeBuilder()
                .withName(name)
                .withNewPersistentVolumeClaim(claim.claimName(), readOnly)
                .build();
    }
}

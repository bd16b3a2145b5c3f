// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import dev.volary.job.resource.Ports;
import dev.volary.job.spec.ClaimSpec;
import dev.volary.job.spec.InputSpec;
import dev.volary.job.spec.RestoreSpec;
import dev.volary.job.spec.VolumeSpec;
import dev.volary.mesh.job.ContainerHeap;
import dev.volary.operator.pod.ObservedNode;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the container of a worker: adds defaults to the template and sets what the protocol requires. */
final class WorkerContainer {
    private static final Quantity MEMORY = new Quantity((ContainerHeap.DEFAULT_LIMIT_BYTES >> 20) + "Mi");
    private static final Quantity CPU = new Quantity("500m");

    private static final String DISK = "ephemeral-storage";

    /** The Java launcher reads this variable, so it works with any image that starts a JVM. */
    private static final String JAVA_OPTIONS = "JDK_JAVA_OPTIONS";

    /** A spawner computes no blocks, so the optimizing compiler costs more than it saves, mainly while the job starts. */
    private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

    private WorkerContainer() {}

    static Container complete(Container given, IterativeJob job, PodName podName, WorkerImageConfig config) {
        ResourceRequirements resources =
                resources(given.getResources(), podName.role() == PodRole.SPAWNER ? config.spawnerDisk() : "");
        ContainerBuilder container = new ContainerBuilder(given)
                .withName(Names.CONTAINER)
                .withResources(resources)
                .withPorts(
                        port("control", Ports.CONTROL),
                        port("bulk", Ports.BULK),
                        port("store", Ports.STORE),
                        port("http", Ports.HTTP))
                // the status of the pod shows why a worker ended, even if the JVM could not write a message
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withReadinessProbe(probe("/readyz", 2, 3))
                .withLivenessProbe(probe("/healthz", 10, 6))
                // with a cold disk and a throttled processor the first answer may take minutes
                .withStartupProbe(probe("/healthz", 1, 180))
                .withSecurityContext((given.getSecurityContext() == null
                                ? new SecurityContextBuilder()
                                : new SecurityContextBuilder(given.getSecurityContext()))
                        .withAllowPrivilegeEscalation(false)
                        .withReadOnlyRootFilesystem(true)
                        .withRunAsNonRoot(true)
                        .withNewCapabilities()
                        .withDrop("ALL")
                        .endCapabilities()
                        .build())
                .addAllToEnv(environment(job, podName))
                .addAllToVolumeMounts(mounts(job, podName));
        if (given.getEnv().stream().noneMatch(variable -> variable.getName().equals(JAVA_OPTIONS))) {
            container.addToEnv(value(JAVA_OPTIONS, javaOptions(resources, podName.role())));
        }
        if (given.getImage() == null || given.getImage().isEmpty()) {
            container.withImage(config.image());
            if (given.getImagePullPolicy() == null && !config.pullPolicy().isEmpty()) {
                container.withImagePullPolicy(config.pullPolicy());
            }
        }
        return container.build();
    }

    private static String javaOptions(ResourceRequirements resources, PodRole role) {
        String heap = heapOption(resources.getLimits().getOrDefault("memory", MEMORY));
        return role == PodRole.SPAWNER ? heap + " " + QUICK_COMPILER : heap;
    }

    /** The JVM option for the heap in a container with this memory limit. */
    static String heapOption(Quantity limit) {
        double share = ContainerHeap.share(limit.getNumericalAmount().doubleValue());
        return String.format(Locale.ROOT, "-XX:MaxRAMPercentage=%.1f", 100 * share);
    }

    /**
     * Sets a memory limit, from which heap and direct memory are sized, and requests all of it, since a JVM returns no memory. A
     * spawner requests disk space for its spool, and gets no limit: the kubelet would evict it at the limit.
     *
     * @param disk request of disk space if the template has none; empty for none
     */
    private static ResourceRequirements resources(@Nullable ResourceRequirements given, String disk) {
        ResourceRequirementsBuilder resources =
                given == null ? new ResourceRequirementsBuilder() : new ResourceRequirementsBuilder(given);
        Map<String, Quantity> limits = given == null || given.getLimits() == null ? Map.of() : given.getLimits();
        Map<String, Quantity> requests = given == null || given.getRequests() == null ? Map.of() : given.getRequests();
        Quantity memory = limits.getOrDefault("memory", requests.getOrDefault("memory", MEMORY));
        resources.addToLimits("memory", memory);
        if (!requests.containsKey("memory")) {
            resources.addToRequests("memory", memory);
        }
        if (!requests.containsKey("cpu")) {
            resources.addToRequests("cpu", limits.getOrDefault("cpu", CPU));
        }
        if (!disk.isEmpty() && !requests.containsKey(DISK)) {
            resources.addToRequests(DISK, limits.getOrDefault(DISK, new Quantity(disk)));
        }
        return resources.build();
    }

    private static io.fabric8.kubernetes.api.model.ContainerPort port(String name, int number) {
        return new ContainerPortBuilder()
                .withName(name)
                .withContainerPort(number)
                .withProtocol("TCP")
                .build();
    }

    private static Probe probe(String path, int period, int failures) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withPort(new IntOrString(Ports.HTTP))
                .endHttpGet()
                .withPeriodSeconds(period)
                .withTimeoutSeconds(2)
                .withFailureThreshold(failures)
                .build();
    }

    private static List<EnvVar> environment(IterativeJob job, PodName podName) {
        String name = job.getMetadata().getName();
        String namespace = job.getMetadata().getNamespace();
        List<EnvVar> environment = new ArrayList<>();
        environment.add(value("VOLARY_ROLE", podName.role().label()));
        environment.add(field("VOLARY_NAME", "metadata.name"));
        environment.add(field("VOLARY_ADDRESS", "status.podIP"));
        environment.add(field("VOLARY_NODE", "spec.nodeName"));
        environment.add(field("VOLARY_ZONE", "metadata.labels['" + ObservedNode.ZONE + "']"));
        environment.add(value("VOLARY_SPAWNERS", Names.spawnerService(name) + "." + namespace + ".svc"));
        if (podName.role() == PodRole.SPAWNER) {
            environment.add(value("VOLARY_LEASE", namespace + "/" + Names.lease(name)));
        }
        environment.add(resource("VOLARY_CORES", "limits.cpu"));
        environment.add(resource("VOLARY_MEMORY", "limits.memory"));
        return environment;
    }

    private static EnvVar value(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    private static EnvVar field(String name, String path) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewFieldRef("v1", path)
                .endValueFrom()
                .build();
    }

    private static EnvVar resource(String name, String resource) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewResourceFieldRef()
                .withContainerName(Names.CONTAINER)
                .withResource(resource)
                .endResourceFieldRef()
                .endValueFrom()
                .build();
    }

    private static List<VolumeMount> mounts(IterativeJob job, PodName podName) {
        List<VolumeMount> mounts = new ArrayList<>();
        mounts.add(mount("volary-job", "/etc/volary/job", true, null));
        mounts.add(mount("volary-tls", "/etc/volary/tls", true, null));
        mounts.add(mount("volary-tmp", "/tmp", false, null));
        mounts.add(mount("volary-spool", "/var/spool/volary", false, null));
        for (InputSpec input : job.getSpec().inputs()) {
            @Nullable ClaimSpec claim = input.persistentVolumeClaim();
            if (claim != null) {
                mounts.add(mount(
                        "volary-input-" + input.name(),
                        ClusterDeployment.INPUTS + "/" + input.name(),
                        true,
                        claim.subPath()));
            }
        }
        @Nullable VolumeSpec checkpoints = job.getSpec().checkpoint().volume();
        if (checkpoints != null) {
            mounts.add(mount(
                    "volary-checkpoints",
                    WorkerPod.CHECKPOINTS,
                    false,
                    checkpoints.persistentVolumeClaim().subPath()));
        }
        @Nullable RestoreSpec restore = job.getSpec().restoreFrom();
        @Nullable ClaimSpec restored = restore == null ? null : restore.persistentVolumeClaim();
        if (restored != null) {
            mounts.add(mount("volary-restore", WorkerPod.RESTORE, true, restored.subPath()));
        }
        @Nullable VolumeSpec results = job.getSpec().result().volume();
        if (podName.role() == PodRole.SPAWNER && results != null) {
            mounts.add(mount(
                    "volary-results",
                    WorkerPod.RESULTS,
                    false,
                    results.persistentVolumeClaim().subPath()));
        }
        for (StoreAccess store : StoreAccess.of(job.getSpec(), podName.role())) {
            if (store.secret().isPresent()) {
                mounts.add(mount(store.volume(), store.folder(), true, null));
            }
        }
        return mounts;
    }

    private static VolumeMount mount(String volume, String path, boolean readOnly, @Nullable String subPath) {
        return new VolumeMountBuilder()
                .withName(volume)
                .withMountPath(path)
                .withReadOnly(readOnly)
                .withSubPath(subPath)
                .build();
    }
}

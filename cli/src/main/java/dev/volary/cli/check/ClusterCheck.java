// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import dev.volary.job.manifest.ManifestError;
import dev.volary.job.spec.JobSpec;
import dev.volary.mesh.job.ContainerHeap;
import dev.volary.mesh.job.DaemonHeap;
import dev.volary.mesh.job.SpawnerResources;
import dev.volary.solver.Box;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks what matters only on a cluster: that the daemons have enough heap for the job's blocks, and the spawners for its backups,
 * and disk for its result. A spawner on the cluster makes the same check of itself, with the same message, against its actual
 * heap.
 */
public final class ClusterCheck {
    private static final String TEMPLATE = "spec.spawners.template";

    private static final String OF_DAEMONS = "spec.daemons.template";

    /** Name of a worker's container in its pod. */
    private static final String CONTAINER = "worker";

    /** A template that sets this variable decides the heap size itself. */
    private static final String JAVA_OPTIONS = "JDK_JAVA_OPTIONS";

    private static final Pattern QUANTITY =
            Pattern.compile("(?<number>[0-9]*[.]?[0-9]+(?:[eE][+-]?[0-9]{1,2})?)(?<unit>Ki|Mi|Gi|Ti|k|M|G|T)?");

    private ClusterCheck() {}

    /** Why a cluster would reject the job; empty if it would accept it. */
    public static Optional<ManifestError> error(ValidatedJob checked) {
        SpawnerResources needed = needed(checked);
        Map<?, ?> template = mapping(checked.manifest().given(TEMPLATE).orElse(null));
        OptionalLong heap = heap(template);
        if (heap.isPresent() && needed.leastHeapBytes() > heap.getAsLong()) {
            return Optional.of(checked.manifest()
                    .error(TEMPLATE, needed.heapRefusal(heap.getAsLong()) + "; " + needed.heapRemedy()));
        }
        OptionalLong disk = spawnerDisk(template);
        if (disk.isPresent() && needed.diskBytes() > disk.getAsLong()) {
            return Optional.of(checked.manifest()
                    .error(TEMPLATE, needed.diskRefusal(disk.getAsLong()) + "; " + needed.diskRemedy()));
        }
        return daemonRefusal(checked).map(refusal -> checked.manifest().error(OF_DAEMONS, refusal));
    }

    /** Why the blocks do not fit into the daemons; worker groups have templates of their own, which are not checked. */
    private static Optional<String> daemonRefusal(ValidatedJob checked) {
        if (!checked.spec().workerGroups().isEmpty()) {
            return Optional.empty();
        }
        OptionalLong limit =
                memoryLimit(mapping(checked.manifest().given(OF_DAEMONS).orElse(null)));
        return limit.isEmpty()
                ? Optional.empty()
                : new BlockFit(
                                checked.decomposition().parts(),
                                DaemonHeap.of(
                                        checked.decomposition().stateSizes(),
                                        checked.spec().checkpoint().copies(),
                                        generations(checked.spec()),
                                        checked.spec().daemons().minimum()))
                        .refusal(limit.getAsLong());
    }

    /** The disk space at which a spawner is evicted, in bytes; empty if the template sets no limit. */
    private static OptionalLong spawnerDisk(Map<?, ?> template) {
        Object limit = mapping(mapping(container(template).get("resources")).get("limits"))
                .get("ephemeral-storage");
        return limit == null ? OptionalLong.empty() : bytes(String.valueOf(limit));
    }

    private static SpawnerResources needed(ValidatedJob checked) {
        JobSpec spec = checked.spec();
        List<Subdomain> parts = checked.decomposition().parts();
        return new SpawnerResources(
                checked.model().unknowns().size(),
                parts.stream().allMatch(part -> part.core() instanceof Box),
                spec.checkpoint().copies(),
                generations(spec),
                spec.daemons().minimum(),
                spec.spawnerCount(),
                keptVectors(checked));
    }

    /** Backups of one block that a holder keeps. */
    private static int generations(JobSpec spec) {
        return spec.scheme() == JobSpec.Scheme.Synchronous ? 2 : 1;
    }

    /** The vectors that a spawner keeps beside those of the result. */
    private static int keptVectors(ValidatedJob checked) {
        Integer every = checked.spec().result().everySteps();
        Optional<TimeStepping> time = checked.model().timeStepping();
        if (every != null && time.isPresent()) {
            return Math.ceilDiv(time.get().steps(), every);
        }
        boolean keepsBest = checked.spec().activeDeadline().isPresent() && time.isEmpty();
        return keepsBest ? 1 : 0;
    }

    /** The heap of a worker in bytes; empty if the template sets JVM options, or a quantity that cannot be parsed. */
    static OptionalLong heap(Map<?, ?> template) {
        OptionalLong limit = memoryLimit(template);
        return limit.isPresent() ? OptionalLong.of(ContainerHeap.heapBytes(limit.getAsLong())) : limit;
    }

    /** The memory limit of a worker in bytes; empty if the template sets JVM options, or a quantity that cannot be parsed. */
    private static OptionalLong memoryLimit(Map<?, ?> template) {
        Map<?, ?> container = container(template);
        boolean decidesItself = list(container.get("env")).stream()
                .anyMatch(variable -> JAVA_OPTIONS.equals(mapping(variable).get("name")));
        if (decidesItself) {
            return OptionalLong.empty();
        }
        Map<?, ?> resources = mapping(container.get("resources"));
        Object limit = mapping(resources.get("limits")).get("memory");
        Object given = limit == null ? mapping(resources.get("requests")).get("memory") : limit;
        return given == null ? OptionalLong.of(ContainerHeap.DEFAULT_LIMIT_BYTES) : bytes(String.valueOf(given));
    }

    private static Map<?, ?> container(Map<?, ?> template) {
        for (Object container : list(mapping(template.get("spec")).get("containers"))) {
            if (CONTAINER.equals(mapping(container).get("name"))) {
                return mapping(container);
            }
        }
        return Map.of();
    }

    private static OptionalLong bytes(String quantity) {
        Matcher matcher = QUANTITY.matcher(quantity);
        if (!matcher.matches()) {
            return OptionalLong.empty();
        }
        String unit = Optional.ofNullable(matcher.group("unit")).orElse("");
        long factor = 1;
        if (!unit.isEmpty()) {
            long step = unit.endsWith("i") ? 1024 : 1000;
            for (int power = "kMGT".indexOf(unit.replace("K", "k").charAt(0)); power >= 0; power--) {
                factor *= step;
            }
        }
        return OptionalLong.of(new BigDecimal(matcher.group("number"))
                .multiply(BigDecimal.valueOf(factor))
                .longValue());
    }

    private static Map<?, ?> mapping(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }
}

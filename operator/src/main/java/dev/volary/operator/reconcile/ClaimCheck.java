// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.spec.ClaimSpec;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.VolumeSpec;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether the claims that workers write allow it from several pods. A claim that does not exist yet, or may not be read, is not
 * refused: its pods wait for it.
 *
 * @param errors claims that no second pod can write, one sentence each
 * @param warnings claims that only pods on one node can write, one sentence each
 */
record ClaimCheck(List<String> errors, List<String> warnings) {
    private static final String REMEDY = "; use a claim that allows ReadWriteMany, or objectStore";

    /** Modes of this name are sufficient for any number of pods. */
    private static final String MANY = "ReadWriteMany";

    /** Pods on one node may write. */
    private static final String ONE_NODE = "ReadWriteOnce";

    /**
     * Checks the claims for checkpoints, which all workers write, and for results, which spawners write.
     *
     * @param claims finds a claim of the job's namespace by its name
     */
    static ClaimCheck of(JobSpec spec, Function<String, Optional<PersistentVolumeClaim>> claims) {
        ClaimCheck check = new ClaimCheck(new ArrayList<>(), new ArrayList<>());
        int spawners = spec.spawnerCount();
        int workers = spec.daemons().most() + spawners;
        check.add("spec.checkpoint.volume", spec.checkpoint().volume(), workers, "workers", claims);
        check.add("spec.result.volume", spec.result().volume(), spawners, "spawners", claims);
        return check;
    }

    private void add(
            String field,
            @Nullable VolumeSpec volume,
            int writers,
            String role,
            Function<String, Optional<PersistentVolumeClaim>> claims) {
        if (volume == null || writers < 2) {
            return;
        }
        ClaimSpec named = volume.persistentVolumeClaim();
        Set<String> modes = claims.apply(named.claimName())
                .<Set<String>>map(claim -> new TreeSet<>(modes(claim)))
                .orElse(Set.of());
        if (modes.isEmpty() || modes.contains(MANY)) {
            return;
        }
        String finding = field + ".persistentVolumeClaim.claimName is \"" + named.claimName() + "\", which allows "
                + String.join(" and ", modes) + ", but " + writers + " " + role + " write it";
        if (modes.contains(ONE_NODE)) {
            warnings.add(finding + ": all must run on one node" + REMEDY);
        } else {
            errors.add(finding + REMEDY);
        }
    }

    /** Those of the volume that it is bound to, which may be more than it asked for. */
    private static List<String> modes(PersistentVolumeClaim claim) {
        if (claim.getStatus() != null
                && claim.getStatus().getAccessModes() != null
                && !claim.getStatus().getAccessModes().isEmpty()) {
            return claim.getStatus().getAccessModes();
        }
        return claim.getSpec() == null || claim.getSpec().getAccessModes() == null
                ? List.of()
                : claim.getSpec().getAccessModes();
    }
}

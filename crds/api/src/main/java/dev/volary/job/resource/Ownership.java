// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Decides to which job an object belongs. Names and labels are used again when a job is deleted and created again, and anyone may
 * set them; the UID of the controller owner names one job only.
 */
public final class Ownership {
    private Ownership() {}

    /** Whether the controller owner of {@code object} is this very job, not another one of the same name. */
    public static boolean isBy(IterativeJob job, HasMetadata object) {
        return controller(object)
                .map(OwnerReference::getUid)
                .filter(uid -> uid.equals(job.getMetadata().getUid()))
                .isPresent();
    }

    /** The controller owner of an object, if it has one. */
    public static Optional<OwnerReference> controller(HasMetadata object) {
        List<OwnerReference> owners =
                Objects.requireNonNullElse(object.getMetadata().getOwnerReferences(), List.of());
        return owners.stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .findFirst();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Ownership;
import dev.volary.operator.plan.PodRejection;
import dev.volary.operator.status.ConditionReason;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Collects objects of other owners that have names which a job needs. The operator neither changes nor deletes them; the job
 * waits until the names are free. For one thread.
 */
final class TakenNames {
    private final IterativeJob job;
    /** Kinds and names by the sentence about their owner, a format string; names in Kubernetes contain no percent sign. */
    private final SortedMap<String, SortedSet<String>> byOwner = new TreeMap<>();

    TakenNames(IterativeJob job) {
        this.job = job;
    }

    /** Whether {@code object} belongs to the job; if not, remembers its name as taken. */
    boolean isOwned(HasMetadata object) {
        if (Ownership.isBy(job, object)) {
            return true;
        }
        byOwner.computeIfAbsent(owner(object), owner -> new TreeSet<>())
                .add(object.getKind() + " " + object.getMetadata().getName());
        return false;
    }

    /** Adds the names of another collection. */
    void addAll(TakenNames others) {
        others.byOwner.forEach((owner, names) ->
                byOwner.computeIfAbsent(owner, key -> new TreeSet<>()).addAll(names));
    }

    boolean isEmpty() {
        return byOwner.isEmpty();
    }

    /** The message for condition and event; equal as long as the same names are taken by the same owners. */
    PodRejection rejection() {
        return new PodRejection(
                ConditionReason.NameTaken,
                byOwner.entrySet().stream()
                        .map(owner -> owner.getKey().formatted(String.join(", ", owner.getValue())))
                        .collect(Collectors.joining(". ")));
    }

    /** The sentence about the owner of an object, with {@code %s} for the names. */
    private String owner(HasMetadata object) {
        Optional<OwnerReference> owner = Ownership.controller(object);
        if (owner.isEmpty()) {
            return "Names that this job needs are taken by objects without an owner: %s; delete or rename them";
        }
        String text = "Names that this job needs are taken by objects of "
                + owner.get().getKind() + " " + owner.get().getName() + " with UID "
                + owner.get().getUid();
        return owner.get().getKind().equals(job.getKind())
                        && owner.get().getName().equals(job.getMetadata().getName())
                ? text
                        + ", an earlier job of this name: %s; wait until garbage collection has removed them, or delete them"
                : text + ": %s; delete or rename them";
    }
}

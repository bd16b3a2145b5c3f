// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Ownership;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.step.PodRejection;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Collects the objects of other owners that bear names which a job needs. The operator neither changes nor deletes them: the job
 * waits until the names are free. For one thread.
 */
final class TakenNames {
    private final IterativeJob job;
    /** Kinds and names, by what is said of their owner. Names in Kubernetes have no percent sign. */
    private final SortedMap<String, SortedSet<String>> byOwner = new TreeMap<>();

    TakenNames(IterativeJob job) {
        this.job = job;
    }

    /** Whether {@code object} is the job's own; if not, its name is taken. */
    boolean isOurs(HasMetadata object) {
        if (Ownership.isBy(job, object)) {
            return true;
        }
        byOwner.computeIfAbsent(owner(object), owner -> new TreeSet<>())
                .add(object.getKind() + " " + object.getMetadata().getName());
        return false;
    }

    /** Adds what another search found. */
    void addAll(TakenNames others) {
        others.byOwner.forEach((owner, names) ->
                byOwner.computeIfAbsent(owner, key -> new TreeSet<>()).addAll(names));
    }

    boolean isEmpty() {
        return byOwner.isEmpty();
    }

    /** The same for condition and event; equal as long as the same objects of the same owners are in the way. */
    PodRejection refusal() {
        return new PodRejection(
                ConditionReason.NameTaken,
                byOwner.entrySet().stream()
                        .map(owner -> owner.getKey().formatted(String.join(", ", owner.getValue())))
                        .collect(Collectors.joining(". ")));
    }

    /** What is said of this owner, with a place for the names. */
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

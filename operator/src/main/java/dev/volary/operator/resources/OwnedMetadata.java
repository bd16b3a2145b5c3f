// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Labels;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;

/** Builds metadata of objects that Kubernetes deletes together with their job. */
final class OwnedMetadata {
    private OwnedMetadata() {}

    static ObjectMeta meta(IterativeJob job, String name) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(job.getMetadata().getNamespace())
                .withLabels(Labels.of(job.getMetadata().getName()))
                .withOwnerReferences(by(job))
                .build();
    }

    static OwnerReference by(IterativeJob job) {
        return new OwnerReferenceBuilder()
                .withApiVersion(job.getApiVersion())
                .withKind(job.getKind())
                .withName(job.getMetadata().getName())
                .withUid(job.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }
}

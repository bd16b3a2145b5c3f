// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.List;

/** Builds the Lease of the leader election, and the right of spawners to this one object and nothing else in the API. */
final class LeaseResources {
    private LeaseResources() {}

    static List<HasMetadata> of(IterativeJob job) {
        return List.of(lease(job), account(job), role(job), binding(job));
    }

    private static Lease lease(IterativeJob job) {
        return new LeaseBuilder()
                .withMetadata(
                        OwnedMetadata.meta(job, Names.lease(job.getMetadata().getName())))
                .withNewSpec()
                .endSpec()
                .build();
    }

    private static ServiceAccount account(IterativeJob job) {
        return new ServiceAccountBuilder()
                .withMetadata(OwnedMetadata.meta(job, accountName(job)))
                .withAutomountServiceAccountToken(false)
                .build();
    }

    private static Role role(IterativeJob job) {
        return new RoleBuilder()
                .withMetadata(OwnedMetadata.meta(job, accountName(job)))
                .addNewRule()
                .withApiGroups("coordination.k8s.io")
                .withResources("leases")
                .withResourceNames(Names.lease(job.getMetadata().getName()))
                .withVerbs("get", "update")
                .endRule()
                .build();
    }

    private static RoleBinding binding(IterativeJob job) {
        return new RoleBindingBuilder()
                .withMetadata(OwnedMetadata.meta(job, accountName(job)))
                .withNewRoleRef("rbac.authorization.k8s.io", "Role", accountName(job))
                .addNewSubject()
                .withKind("ServiceAccount")
                .withName(accountName(job))
                .withNamespace(job.getMetadata().getNamespace())
                .endSubject()
                .build();
    }

    private static String accountName(IterativeJob job) {
        return Names.spawnerAccount(job.getMetadata().getName());
    }
}

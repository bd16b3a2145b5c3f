// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.job.testkit.LocalApiServer;
import dev.volary.job.testkit.NeedsApiServer;
import dev.volary.mesh.arbiter.ApiServer;
import dev.volary.mesh.arbiter.Arbiter;
import dev.volary.mesh.arbiter.LeaseArbiter;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The arbiter of jobs on a cluster, against a real API server, with the account and the one right that spawners have. */
@NeedsApiServer
class RealLeaseArbiterTest extends ArbiterContract {
    private static final String NAME = "heat";

    private static LocalApiServer api;

    @TempDir
    private Path account;

    private String namespace = "";

    @BeforeAll
    static void startTheApiServer() throws IOException, InterruptedException {
        api = LocalApiServer.start();
    }

    @AfterAll
    static void stopTheApiServer() {
        if (api != null) {
            api.close();
        }
    }

    /** As the operator does for each job: an empty Lease, and an account that may read and write it. */
    @BeforeEach
    void haveALease() throws IOException {
        namespace = api.namespace();
        KubernetesClient client = api.client();
        client.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
        client.resource(new RoleBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace(namespace)
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups("coordination.k8s.io")
                        .withResources("leases")
                        .withResourceNames(NAME)
                        .withVerbs("get", "update")
                        .endRule()
                        .build())
                .create();
        client.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", NAME)
                        .addNewSubject()
                        .withKind("ServiceAccount")
                        .withName(NAME)
                        .withNamespace(namespace)
                        .endSubject()
                        .build())
                .create();
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(NAME)
                .tokenRequest(new TokenRequestBuilder().withNewSpec().endSpec().build())
                .getStatus()
                .getToken();
        Files.writeString(account.resolve("token"), token);
    }

    @Override
    Arbiter client() {
        return new LeaseArbiter(
                new ApiServer(
                        URI.create(api.config().getMasterUrl()),
                        account.resolve("token"),
                        Path.of(api.config().getCaCertFile())),
                namespace + "/" + NAME,
                Clock.systemUTC());
    }
}

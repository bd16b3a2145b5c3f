// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.mesh.v1.ObjectStore;
import dev.volary.storage.ObjectStoreSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DescribedStoresTest {
    @Test
    void workersUseEveryFieldOfAnObjectStore() {
        assertEquals(
                new ObjectStoreSettings(
                        Optional.of(URI.create("http://minio:9000")),
                        Optional.of("eu-central-1"),
                        "results",
                        "team-a/",
                        Optional.of(Path.of("/etc/volary/result-store"))),
                DescribedStores.settings(ObjectStore.newBuilder()
                        .setEndpoint("http://minio:9000")
                        .setRegion("eu-central-1")
                        .setBucket("results")
                        .setPrefix("team-a")
                        .setCredentialsFolder("/etc/volary/result-store")
                        .build()));
    }

    @Test
    void whatIsNotGivenIsLeftToTheClient() {
        assertEquals(
                new ObjectStoreSettings(Optional.empty(), Optional.empty(), "results", "", Optional.empty()),
                DescribedStores.settings(
                        ObjectStore.newBuilder().setBucket("results").build()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.volary.job.spec.ObjectStoreSpec;
import dev.volary.storage.InputFile;
import dev.volary.storage.ObjectStoreSettings;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocalStoresTest {
    @Test
    void localStoresUseEveryFieldOfAnObjectStore() {
        assertEquals(
                new ObjectStoreSettings(
                        Optional.of(URI.create("http://minio:9000")),
                        Optional.of("eu-central-1"),
                        "inputs",
                        "team-a/",
                        Optional.empty()),
                LocalStores.settings(
                        new ObjectStoreSpec("http://minio:9000", "eu-central-1", "inputs", "team-a", "a-secret")));
    }

    @Test
    void inputsWithOtherChecksumsHaveOtherFolders() {
        InputFile one = new InputFile("A.mtx", "ab");
        assertEquals(LocalStores.inputCache(List.of(one)), LocalStores.inputCache(List.of(one)));
        assertNotEquals(
                LocalStores.inputCache(List.of(one)), LocalStores.inputCache(List.of(new InputFile("A.mtx", "ac"))));
    }
}

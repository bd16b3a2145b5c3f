// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class FolderStoreTest extends BlobStoreContract {
    @Override
    BlobStore store() {
        return new FolderStore(scratch.resolve("root"));
    }

    @Test
    void aKeyOutsideOfTheFolderIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> store().put("../x", new byte[0]));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.volary.storage.BlobStore.Blob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store promises, asked of a folder and of an object store. */
abstract class BlobStoreContract {
    @TempDir
    Path scratch;

    abstract BlobStore store() throws IOException;

    @Test
    void objectsAreStoredReplacedListedAndDeleted() throws Exception {
        Path file = Files.writeString(scratch.resolve("some.bin"), "from a file");
        try (BlobStore store = store()) {
            store.put("job/zarr.json", bytes("first"));
            store.put("job/u/c/0/0", file);
            store.put("other/x", bytes("other"));
            store.put("job/zarr.json", bytes("second, longer"));
            assertArrayEquals(bytes("second, longer"), store.get("job/zarr.json"));
            assertEquals(List.of(new Blob("job/u/c/0/0", 11), new Blob("job/zarr.json", 14)), store.list("job/"));
            store.download("job/u/c/0/0", scratch.resolve("some.bin"));
            assertEquals("from a file", Files.readString(scratch.resolve("some.bin")));
            store.delete("job/zarr.json");
            store.delete("job/zarr.json");
            assertEquals(List.of(new Blob("job/u/c/0/0", 11)), store.list("job/"));
            store.deleteAll("job/");
            store.deleteAll("job/");
            assertEquals(List.of(new Blob("other/x", 5)), store.list(""));
        }
    }

    @Test
    void anAbsentObjectIsReportedAsSuch() throws Exception {
        try (BlobStore store = store()) {
            assertThrows(NoSuchFileException.class, () -> store.get("absent"));
            assertThrows(NoSuchFileException.class, () -> store.download("absent", scratch.resolve("x")));
            assertEquals(List.of(), store.list("absent"));
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePartRepositoryTest {
    @TempDir
    Path folder;

    @Test
    void aStoredPartIsReadBack() throws IOException {
        double[] values = new Random(1).doubles(100_000).toArray();
        FilePartRepository store = new FilePartRepository(folder);
        int checksum = store.store(7, 3, values, values.length);
        assertArrayEquals(values, store.read(7, 3, values.length, checksum));
    }

    @Test
    void aFlippedBitIsDetected() throws IOException {
        FilePartRepository store = new FilePartRepository(folder);
        int checksum = store.store(1, 0, new double[] {1, 2, 3}, 3);
        Path file = folder.resolve(".parts/0-1.f64");
        byte[] bytes = Files.readAllBytes(file);
        bytes[9] ^= 4;
        Files.write(file, bytes);
        IOException broken = assertThrows(IOException.class, () -> store.read(1, 0, 3, checksum));
        assertTrue(String.valueOf(broken.getMessage()).contains("checksum"), broken.getMessage());
    }

    @Test
    void aTruncatedPartIsDetected() throws IOException {
        FilePartRepository store = new FilePartRepository(folder);
        int checksum = store.store(1, 0, new double[] {1, 2, 3}, 3);
        Path file = folder.resolve(".parts/0-1.f64");
        Files.write(file, java.util.Arrays.copyOf(Files.readAllBytes(file), 20));
        IOException broken = assertThrows(IOException.class, () -> store.read(1, 0, 3, checksum));
        assertTrue(String.valueOf(broken.getMessage()).contains("20 bytes, must have 24"), broken.getMessage());
    }

    @Test
    void theErrorForAFolderThatCannotBeCreatedNamesTheRemedy() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        FilePartRepository store = new FilePartRepository(file);
        IOException broken = assertThrows(IOException.class, () -> store.store(1, 0, new double[1], 1));
        assertTrue(String.valueOf(broken.getMessage()).contains(file.toString()), broken.getMessage());
        assertTrue(String.valueOf(broken.getMessage()).contains("choose another output folder"), broken.getMessage());
    }

    @Test
    void clearRemovesAllParts() throws IOException {
        FilePartRepository store = new FilePartRepository(folder);
        store.store(1, 0, new double[1], 1);
        store.store(2, 1, new double[1], 1);
        store.clear();
        assertFalse(Files.exists(folder.resolve(".parts")));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
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
    void aPartThatArrivesInPiecesIsThereOnlyWhenItIsWhole() throws IOException {
        FilePartRepository store = new FilePartRepository(folder);
        double[] values = {1, 2, 3};
        ByteBuffer bytes = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(values);
        Iterator<ByteBuffer> pieces =
                List.of(bytes.slice(0, 10), bytes.slice(10, 14)).iterator();
        int checksum = store.receive(4, 0, 3, () -> pieces.hasNext() ? Optional.of(pieces.next()) : Optional.empty());
        assertArrayEquals(values, store.read(4, 0, 3, checksum));

        Iterator<ByteBuffer> broken = List.of(bytes.slice(0, 10)).iterator();
        assertThrows(
                IllegalStateException.class,
                () -> store.receive(5, 0, 3, () -> broken.hasNext() ? Optional.of(broken.next()) : Optional.empty()));
        assertThrows(IllegalStateException.class, () -> store.receive(6, 0, 1, () -> Optional.of(bytes.duplicate())));
        try (var left = Files.list(folder.resolve(".parts"))) {
            assertEquals(
                    List.of("0-4.f64"),
                    left.map(file -> String.valueOf(file.getFileName())).toList());
        }
    }

    @Test
    void aCopyOfAPartIsCheckedFirst() throws IOException {
        FilePartRepository store = new FilePartRepository(folder.resolve("a"));
        FilePartRepository copy = new FilePartRepository(folder.resolve("b"));
        int checksum = store.store(1, 0, new double[] {1, 2}, 2);
        assertThrows(IOException.class, () -> copy.copy(store, 1, 0, 2, checksum + 1));
        assertFalse(copy.has(1, 0, 2));
        copy.copy(store, 1, 0, 2, checksum);
        assertArrayEquals(new double[] {1, 2}, copy.read(1, 0, 2, checksum));
    }

    @Test
    void forgettingEarlierPartsRemovesUnfinishedOnesToo() throws IOException {
        FilePartRepository store = new FilePartRepository(folder);
        int ignored = store.store(2, 0, new double[1], 1);
        Files.writeString(folder.resolve(".parts/0-1.f64.7.tmp"), "left by a kill");
        store.forget(2);
        try (var left = Files.list(folder.resolve(".parts"))) {
            assertEquals(
                    List.of("0-2.f64"),
                    left.map(file -> String.valueOf(file.getFileName())).toList());
        }
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

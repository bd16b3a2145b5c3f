// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputDownloadTest {
    /** {@code printf abc | sha256sum}; also FIPS 180-2, appendix B.1. */
    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    Path scratch;

    private Path bucket;
    private Path folder;

    @BeforeEach
    void fill() throws IOException {
        bucket = Files.createDirectories(scratch.resolve("bucket").resolve("sub"))
                .resolveSibling("");
        folder = scratch.resolve("here");
        Files.writeString(bucket.resolve("A.mtx"), "abc");
        Files.writeString(bucket.resolve("sub").resolve("b.mtx"), "abc");
    }

    private void fetch(BlobStore store, InputFile... files) throws IOException {
        new InputDownload("spec.inputs[0]", store, folder).fetch(List.of(files));
    }

    private InputRefusedException refusal(BlobStore store, InputFile... files) {
        return assertThrows(InputRefusedException.class, () -> fetch(store, files));
    }

    @Test
    void filesAreFetchedByNameAndNothingElseIs() throws Exception {
        Files.writeString(bucket.resolve("unlisted"), "x");
        fetch(new FolderStore(bucket), new InputFile("A.mtx", ABC), new InputFile("sub/b.mtx", ABC));
        assertEquals("abc", Files.readString(folder.resolve("A.mtx")));
        assertEquals("abc", Files.readString(folder.resolve("sub/b.mtx")));
        try (var all = Files.walk(folder)) {
            assertEquals(2, all.filter(Files::isRegularFile).count());
        }
    }

    @Test
    void aFileThatIsThereIsNotFetchedAgainAndADamagedOneIs() throws Exception {
        fetch(new FolderStore(bucket), new InputFile("A.mtx", ABC));
        FileTime before = FileTime.fromMillis(0);
        Files.setLastModifiedTime(folder.resolve("A.mtx"), before);
        fetch(new FolderStore(bucket), new InputFile("A.mtx", ABC));
        assertEquals(before, Files.getLastModifiedTime(folder.resolve("A.mtx")));
        Files.writeString(folder.resolve("A.mtx"), "abd");
        fetch(new FolderStore(bucket), new InputFile("A.mtx", ABC));
        assertEquals("abc", Files.readString(folder.resolve("A.mtx")));
    }

    @Test
    void anotherChecksumIsRefusedWithBothAndLeavesNoFile() throws Exception {
        Files.writeString(bucket.resolve("A.mtx"), "abd");
        InputRefusedException refused = refusal(new FolderStore(bucket), new InputFile("A.mtx", ABC));
        assertEquals(
                "spec.inputs[0].files[0].sha256 is " + ABC + ", but " + bucket.resolve("A.mtx") + " has "
                        // printf abd | sha256sum
                        + "a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9; store the right file there,"
                        + " or correct the checksum",
                refused.getMessage());
        try (var left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void aMissingFileIsRefusedWithItsPlace() {
        assertEquals(
                "spec.inputs[0].files[1].name is \"C.mtx\", but there is no " + bucket.resolve("C.mtx")
                        + "; store the file there, or correct name, prefix or bucket",
                refusal(new FolderStore(bucket), new InputFile("A.mtx", ABC), new InputFile("C.mtx", ABC))
                        .getMessage());
    }

    @Test
    void aFileLargerThanTheDiskIsRefusedBeforeItIsRead() {
        InputRefusedException refused = refusal(new Opened(1L << 60, new Endless()), new InputFile("A.mtx", ABC));
        assertEquals("spec.inputs[0].files[0].name", refused.field());
        assertTrue(
                refused.finding().contains("has 1152921504606846976 bytes, and " + folder + " has"), refused.finding());
    }

    @Test
    void aConnectionThatBreaksIsNoErrorOfTheManifest() throws Exception {
        IOException broken = assertThrows(
                IOException.class, () -> fetch(new Opened(9, new Breaking()), new InputFile("A.mtx", ABC)));
        assertEquals("there/A.mtx cannot be read to its end: reset by peer", broken.getMessage());
        assertFalse(broken instanceof InputRefusedException);
        try (var left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void aNameThatLeadsOutOfTheFolderIsNotFetched() {
        assertThrows(
                IllegalArgumentException.class, () -> fetch(new FolderStore(bucket), new InputFile("../A.mtx", ABC)));
    }

    private static final class Endless extends InputStream {
        @Override
        public int read() {
            throw new AssertionError("must not be read");
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            return read();
        }
    }

    private static final class Breaking extends InputStream {
        private int left = 3;

        @Override
        public int read() throws IOException {
            if (left-- == 0) {
                throw new IOException("reset by peer");
            }
            return 'a';
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            buffer[offset] = (byte) read();
            return 1;
        }
    }

    /** A store whose every object has this content. */
    private record Opened(long bytes, InputStream content) implements BlobStore {
        @Override
        public void put(String key, Content ignored) {
            throw new UnsupportedOperationException();
        }

        @Override
        public OpenBlob open(String key) {
            return new OpenBlob(bytes, content);
        }

        @Override
        public List<Blob> list(String prefix) {
            return List.of();
        }

        @Override
        public void delete(String key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String location(String key) {
            return "there/" + key;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}

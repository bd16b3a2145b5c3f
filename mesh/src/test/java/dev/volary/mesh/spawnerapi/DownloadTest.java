// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The final name stands for the old folder or for the whole new one, at any moment. */
class DownloadTest {
    @TempDir
    Path home;

    private Path target = Path.of("");

    @BeforeEach
    void anOldFolder() throws IOException {
        target = home.resolve("result.zarr");
        Files.createDirectories(target);
        Files.writeString(target.resolve("old"), "old");
    }

    @Test
    void theOldFolderStaysUntilTheNewOneIsAccepted() throws IOException {
        Download download = arrived();
        assertTrue(Files.exists(target.resolve("old")));
        download.accept();
        download.discard();
        assertEquals(List.of("result.zarr"), names(home));
        assertEquals(List.of("new"), names(target));
    }

    @Test
    void theOldFolderIsRestoredIfTheNewOneCannotBeRenamed() throws IOException {
        Download download = Download.to(target);
        assertThrows(IOException.class, download::accept);
        assertEquals(List.of("old"), names(target));
    }

    @Test
    void aCrashBetweenTheTwoRenamesLeavesTheOldFolderForTheNextDownload() throws IOException {
        Download killed = arrived();
        Files.move(target, home.resolve("result.zarr.earlier"));
        assertTrue(Files.exists(killed.arrived()));

        Download next = Download.to(target);
        assertEquals(List.of("old"), names(target));
        assertFalse(Files.exists(next.arrived()), "what an interrupted download left is removed");
    }

    @Test
    void aCrashBeforeTheOldFolderIsRemovedKeepsTheNewOne() throws IOException {
        Download killed = arrived();
        Files.move(target, home.resolve("result.zarr.earlier"));
        Files.move(killed.arrived(), target);

        Download.to(target).discard();
        assertEquals(List.of("new"), names(target));
        assertEquals(List.of("result.zarr"), names(home));
    }

    @Test
    void anInterruptedDownloadCanBeContinued() throws IOException {
        Download killed = arrived();
        Download next = Download.resume(target);
        assertEquals(List.of("new"), names(next.arrived()));
        assertEquals(killed.folder(), next.folder());
        next.accept();
        assertEquals(List.of("new"), names(target));
    }

    @Test
    void filesWithoutTheirDigestAreAnIncompleteResult() throws IOException {
        FetchFolder folder = FetchFolder.open(home.resolve("arriving"), List.of(file("c/0", "values")));
        try (FileReceiver files = new FileReceiver(folder, FetchProgress.NONE)) {
            files.take(FetchReply.newBuilder().setFile(file("c/0", "values")).build());
            files.take(piece("values"));
            String reason = String.valueOf(
                    assertThrows(IOException.class, files::finish).getMessage());
            assertTrue(reason.contains("fetch again"), reason);
        }
    }

    @Test
    void aMissingFileChangesTheDigest() throws IOException {
        List<FetchedFile> both = List.of(file("a", "1"), file("b", "2"));
        String digest = ResultDigest.of(both);
        assertEquals(digest, ResultDigest.of(both.reversed()), "the order does not matter");
        try (FileReceiver files =
                new FileReceiver(FetchFolder.open(home.resolve("arriving"), both), FetchProgress.NONE)) {
            files.take(FetchReply.newBuilder().setFile(file("a", "1")).build());
            files.take(piece("1"));
            FetchReply last = FetchReply.newBuilder().setDigest(digest).build();
            assertThrows(IOException.class, () -> files.take(last));
        }
    }

    @Test
    void aFileOutsideOfTheFolderIsRefused() {
        for (String path : List.of("../evil", "/etc/evil", ".", "a/../../evil")) {
            assertThrows(
                    IOException.class, () -> FetchFolder.open(home.resolve("arriving"), List.of(file(path, ""))), path);
        }
    }

    private Download arrived() throws IOException {
        Download download = Download.to(target);
        Files.createDirectories(download.arrived());
        Files.writeString(download.arrived().resolve("new"), "new");
        return download;
    }

    private static FetchReply piece(String text) {
        return FetchReply.newBuilder().setPiece(ByteString.copyFromUtf8(text)).build();
    }

    private static FetchedFile file(String path, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return FetchedFile.newBuilder()
                .setPath(path)
                .setBytes(bytes.length)
                .setChecksum((int) checksum.getValue())
                .build();
    }

    private static List<String> names(Path folder) throws IOException {
        try (var all = Files.list(folder)) {
            return all.map(path -> String.valueOf(path.getFileName())).sorted().toList();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.console.Style;
import dev.volary.zarr.ChunkGrid;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A result gets its final name when it is complete, and replaces an older one. */
class ResultDownloadTest {
    private static final ResultAttributes CERTIFIED =
            new ResultAttributes("heat", "heat2d", true, 9.5e-9, 3.8e-6, 1e-8, 4);

    @TempDir
    Path folder;

    @Test
    void anAcceptedResultReplacesAnOlderOneWhole() throws IOException {
        Path old = Files.createDirectories(folder.resolve("result.zarr/u"));
        Files.writeString(old.resolve("c"), "an older chunk");
        ResultDownload arriving = ResultDownload.in(folder);
        ZarrGroup.create(arriving.folder().resolve("result.zarr")).commit(CERTIFIED.toMap());
        assertTrue(Files.exists(old), "the old one stays while the new one arrives");

        assertEquals(CERTIFIED, arriving.accept());
        arriving.close();
        assertFalse(Files.exists(old), "nothing of the old one is mixed in");
        assertEquals(
                CERTIFIED, ResultAttributes.of(ZarrGroup.open(arriving.result()).attributes()));
        assertFalse(Files.exists(arriving.folder()));
    }

    @Test
    void aDownloadThatIsNoResultIsRefusedAndTheOldResultStays() throws IOException {
        ZarrGroup.create(folder.resolve("result.zarr")).commit(CERTIFIED.toMap());
        try (ResultDownload arriving = ResultDownload.in(folder)) {
            assertThrows(IOException.class, arriving::accept);
            assertEquals(
                    CERTIFIED,
                    ResultAttributes.of(ZarrGroup.open(arriving.result()).attributes()));
        }
    }

    @Test
    void whatAnInterruptedFetchLeftStaysForTheNextOne() throws IOException {
        Path file;
        try (ResultDownload interrupted = ResultDownload.in(folder)) {
            file = Files.writeString(interrupted.folder().resolve("part.tmp"), "first bytes");
            String said = interrupted.leftover();
            assertTrue(said.startsWith("11 B are in " + interrupted.folder()), said);
        }
        try (ResultDownload next = ResultDownload.in(folder)) {
            assertEquals("first bytes", Files.readString(file));
            Files.delete(file);
            assertTrue(Files.exists(next.folder()));
        }
        try (var left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void aSecondFetchIntoOneFolderIsRefused() throws IOException {
        try (ResultDownload first = ResultDownload.in(folder)) {
            String refusal = String.valueOf(assertThrows(IOException.class, () -> ResultDownload.in(folder))
                    .getMessage());
            assertTrue(refusal.contains("another fetch to it is running"), refusal);
            assertTrue(Files.exists(first.folder()));
        }
    }

    @Test
    void aDamagedOrMissingChunkIsNotAcceptedAndTheOldResultStays() throws IOException {
        ZarrGroup.create(folder.resolve("result.zarr")).commit(CERTIFIED.toMap());
        for (byte[] damage : new byte[][] {{1}, {}}) {
            ResultDownload arriving = ResultDownload.in(folder);
            ZarrGroup group = ZarrGroup.create(arriving.folder().resolve("result.zarr"));
            group.createArray("u", ChunkGrid.bounded(new int[] {4}, 8), List.of("x"), Map.of())
                    .writeAll(new double[] {1, 2, 3, 4});
            group.commit(CERTIFIED.toMap());
            Path chunk = arriving.folder().resolve("result.zarr/u/c/0");
            if (damage.length > 0) {
                Files.write(chunk, damage);
            } else {
                Files.delete(chunk);
            }
            assertThrows(IOException.class, arriving::accept);
            arriving.close();
            assertFalse(Files.exists(arriving.folder()), "the next fetch starts with an empty folder");
            assertEquals(
                    CERTIFIED,
                    ResultAttributes.of(
                            ZarrGroup.open(folder.resolve("result.zarr")).attributes()));
        }
    }

    @Test
    void aFolderThatIsAFileIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        IOException refused = assertThrows(IOException.class, () -> ResultDownload.in(file));
        assertTrue(String.valueOf(refused.getMessage()).contains("name another folder with --output"));
    }

    @Test
    void theCertificateSaysResidualAndTolerance() {
        assertEquals(
                List.of(
                        "heat: certified",
                        "  problem             heat2d",
                        "  certified residual  9.50e-09 ≤ 1.00e-08 (relative), 3.80e-06 absolute, snapshot 4"),
                FetchCommand.certificateLines(CERTIFIED, Style.PLAIN));
    }

    @Test
    void anAnswerThatIsNotCertifiedIsNamedTheBestOneBeforeTheDeadline() {
        ResultAttributes best =
                new ResultAttributes("heat", "heat2d", false, 0.02, 8.0, 1e-8, 4, 0, 0, "maximum", 1234);
        assertEquals(
                List.of(
                        "heat: not converged",
                        "  problem             heat2d",
                        "  certified residual  2.00e-02 > 1.00e-08 (relative), 8.00e+00 absolute, snapshot 4",
                        "  best answer         that was reached before spec.activeDeadlineSeconds expired, after about 1234"
                                + " iterations of a block"),
                FetchCommand.certificateLines(best, Style.PLAIN));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.console.Units;
import dev.volary.mesh.spawnerapi.Download;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * Downloads a result into a folder. The files stay in {@code .fetching} until they are complete, checked and on disk, so that
 * {@code result.zarr} is never a mixture of two results and an older result is kept until then. A download that was interrupted
 * leaves its files there for the next one. One download to a folder runs at a time.
 */
final class ResultDownload implements AutoCloseable {
    private final Download download;
    private final Path lockFile;
    private final FileChannel lock;

    private ResultDownload(Download download, Path lockFile, FileChannel lock) {
        this.download = download;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Starts a download, or continues one that was interrupted.
     *
     * @param target folder for {@code result.zarr}
     * @throws IOException if the folder cannot be written to, or another download to it runs
     */
    static ResultDownload in(Path target) throws IOException {
        try {
            Files.createDirectories(target);
            Path lockFile = target.resolve(".fetching.lock");
            FileChannel lock = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                requireLock(lock);
                return new ResultDownload(Download.resume(target.resolve("result.zarr")), lockFile, lock);
            } catch (IOException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new IOException(
                    target + " cannot be written to (" + e.getMessage() + "); name another folder with --output", e);
        }
    }

    private static void requireLock(FileChannel channel) throws IOException {
        try {
            FileLock held = channel.tryLock();
            if (held != null) {
                return;
            }
        } catch (OverlappingFileLockException heldByThisProcess) {
            // refused below
        }
        throw new IOException("another fetch to it is running");
    }

    /** The folder for arriving files. */
    Path folder() {
        return download.folder();
    }

    /** The final path of the result. */
    Path result() {
        return download.target();
    }

    /** Says what of the result is here, for a fetch that did not finish. */
    String leftover() {
        try (Stream<Path> files = Files.walk(folder())) {
            long bytes = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
            return Units.bytes(bytes) + " are in " + folder() + "; fetch again to continue";
        } catch (IOException e) {
            return "what arrived is in " + folder() + "; fetch again to continue";
        }
    }

    /**
     * Checks every chunk once all files have arrived, and moves the result to its final path, replacing an older one. It is on
     * disk afterwards.
     *
     * @return the certificate of the result
     * @throws IOException if the files are not a result or are damaged, and then they are removed; or if an older result cannot
     *     be replaced
     */
    ResultAttributes accept() throws IOException {
        ResultAttributes attributes = checked();
        try {
            download.accept();
        } catch (IOException e) {
            throw new IOException(
                    "%s cannot be replaced: %s; remove it, or name another folder with --output, and fetch again"
                            .formatted(result(), e.getMessage()),
                    e);
        }
        download.discard();
        return attributes;
    }

    private boolean isEmpty() throws IOException {
        if (!Files.isDirectory(folder())) {
            return true;
        }
        try (Stream<Path> files = Files.list(folder())) {
            return files.findAny().isEmpty();
        }
    }

    private ResultAttributes checked() throws IOException {
        try {
            ZarrGroup arrived = ZarrGroup.open(download.arrived());
            ResultAttributes attributes = ResultAttributes.of(arrived.attributes());
            for (String array : arrived.arrays()) {
                arrived.array(array).check();
            }
            return attributes;
        } catch (IOException e) {
            // the files are as their spawner has them: to keep them would fail in the same way
            download.discard();
            throw e;
        }
    }

    /** Lets other downloads to this folder start; files that were not accepted stay. */
    @Override
    public void close() throws IOException {
        if (isEmpty()) {
            download.discard();
        }
        Files.deleteIfExists(lockFile);
        lock.close();
    }
}

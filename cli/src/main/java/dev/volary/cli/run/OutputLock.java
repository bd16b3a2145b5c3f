// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.console.UsageException;
import dev.volary.cli.result.OutputFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Locks an output folder, so that only one run writes to it. The lock ends with the process, even after a crash. */
final class OutputLock implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;

    private OutputLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Creates and locks the folder, and checks that the disk has space for the result.
     *
     * @throws UsageException if another run holds the lock or the disk is too full
     */
    static OutputLock take(Path folder, ValidatedJob checked) throws IOException, UsageException {
        OutputFolder.create(folder);
        // the recorded parts and the result exist side by side for a moment
        long needed = 2L * Double.BYTES * checked.model().unknowns().size() + (1 << 20);
        long usable = Files.getFileStore(folder).getUsableSpace();
        if (usable < needed) {
            throw new UsageException(
                    "the output folder %s has %d MiB free, the result needs %d MiB; free space or name another folder with --output"
                            .formatted(folder, usable >> 20, (needed >> 20) + 1));
        }
        Path file = folder.resolve(".lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new OutputLock(file, channel);
            }
        } catch (OverlappingFileLockException heldByThisProcess) {
            // rejected below
        }
        channel.close();
        throw new UsageException(
                "the output folder %s is in use by another run; wait for it or name another folder with --output"
                        .formatted(folder));
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
        channel.close();
    }
}

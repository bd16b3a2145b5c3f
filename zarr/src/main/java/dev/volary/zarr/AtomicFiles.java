// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Whole files or none. */
final class AtomicFiles {
    private AtomicFiles() {}

    /** Writes the contents of a file. */
    interface Content {
        void writeTo(FileChannel channel) throws IOException;
    }

    /** Writes beside the file, forces to the disk, then takes the file's name. */
    static void write(Path file, ByteBuffer bytes) throws IOException {
        write(file, channel -> {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        });
    }

    /** As {@link #write(Path, ByteBuffer)}. */
    static void write(Path file, Content content) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".partial");
        try (FileChannel channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            content.writeTo(channel);
            channel.force(true);
        } catch (IOException failed) {
            throw WriteFailure.of(file, failed);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.zarr.WriteFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/**
 * Writes one part as its pieces arrive, under a temporary name until {@link #complete}. For one thread; several writers of one part
 * do not disturb each other, and the last one to complete wins.
 */
public final class PartWriter implements AutoCloseable {
    /** How much may wait for the device: else a force takes so long that the sender gives up. */
    private static final long FORCED_BYTES = 8 << 20;

    private final Path target;
    private final Path temporary;
    private final long expectedBytes;
    private final FileChannel channel;
    private final CRC32C checksum = new CRC32C();
    private long bytes;
    private long forced;

    PartWriter(Path target, int count) throws IOException {
        this.target = target;
        this.expectedBytes = (long) count * Double.BYTES;
        try {
            Files.createDirectories(target.getParent());
            String unique = Long.toHexString(ThreadLocalRandom.current().nextLong());
            this.temporary = target.resolveSibling(target.getFileName() + "." + unique + ".tmp");
            this.channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw WriteFailure.of(target, e);
        }
    }

    /**
     * Writes little-endian doubles behind those before.
     *
     * @throws IllegalStateException if they are more than the part has
     * @throws IOException naming what could not be written and the remedy
     */
    public void write(ByteBuffer piece) throws IOException {
        if (bytes + piece.remaining() > expectedBytes) {
            throw new IllegalStateException("a piece of %d bytes does not fit a part of %d bytes, %d of them read"
                    .formatted(piece.remaining(), expectedBytes, bytes));
        }
        checksum.update(piece.duplicate());
        bytes += piece.remaining();
        try {
            while (piece.hasRemaining()) {
                channel.write(piece);
            }
            if (bytes - forced >= FORCED_BYTES) {
                channel.force(false);
                forced = bytes;
            }
        } catch (IOException e) {
            throw WriteFailure.of(target, e);
        }
    }

    /** CRC-32C of what was written. */
    public int checksum() {
        return (int) checksum.getValue();
    }

    /**
     * Makes the part durable: forces it to the device and gives it its name.
     *
     * @return CRC-32C of its bytes
     * @throws IllegalStateException if some are missing
     */
    public int complete() throws IOException {
        if (bytes < expectedBytes) {
            throw new IllegalStateException("the part broke off after %d of %d bytes".formatted(bytes, expectedBytes));
        }
        try {
            channel.force(false);
            channel.close();
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw WriteFailure.of(target, e);
        }
        return checksum();
    }

    /** Removes what was written, unless it is complete. */
    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(temporary);
    }
}

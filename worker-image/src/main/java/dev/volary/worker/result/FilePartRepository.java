// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.zarr.WriteFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Recorded parts of snapshots as files of little-endian doubles below a result folder. A part is durable once
 * {@link #store} has returned: written, forced to the device and renamed to its final name.
 */
public final class FilePartRepository implements PartRepository {
    private static final int BUFFER_DOUBLES = 1 << 16;

    private static final int PIECE_BYTES = 256 << 10;

    private static final Pattern NAME = Pattern.compile("\\d+-(?<sid>\\d+)\\.f64");

    private final Path folder;

    /**
     * @param resultFolder the job's output folder; parts live in a hidden folder inside it
     */
    public FilePartRepository(Path resultFolder) {
        this.folder = resultFolder.resolve(".parts");
    }

    @Override
    public int store(long sid, int block, double[] values, int count) throws IOException {
        Path target = file(sid, block);
        Path temporary = target.resolveSibling(target.getFileName() + ".tmp");
        try {
            Files.createDirectories(folder);
            CRC32C checksum = new CRC32C();
            try (FileChannel channel = FileChannel.open(
                    temporary,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer buffer = ByteBuffer.allocate(Math.max(1, Math.min(count, BUFFER_DOUBLES)) * Double.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
                for (int start = 0; start < count; start += BUFFER_DOUBLES) {
                    int length = Math.min(BUFFER_DOUBLES, count - start);
                    buffer.clear();
                    buffer.asDoubleBuffer().put(values, start, length);
                    buffer.limit(length * Double.BYTES);
                    checksum.update(buffer.duplicate());
                    while (buffer.hasRemaining()) {
                        channel.write(buffer);
                    }
                }
                channel.force(false);
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return (int) checksum.getValue();
        } catch (IOException e) {
            deleteQuietly(temporary);
            throw WriteFailure.of(target, e);
        }
    }

    @Override
    public double[] read(long sid, int block, int count, int checksum) throws IOException {
        Path file = file(sid, block);
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length != (long) count * Double.BYTES) {
            throw new IOException("%s has %d bytes, must have %d; run the job again"
                    .formatted(file, bytes.length, (long) count * Double.BYTES));
        }
        CRC32C actual = new CRC32C();
        actual.update(bytes);
        if ((int) actual.getValue() != checksum) {
            throw new IOException("%s has checksum %08x, was stored with %08x; run the job again"
                    .formatted(file, (int) actual.getValue(), checksum));
        }
        double[] values = new double[count];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
        return values;
    }

    /**
     * Sends the bytes of a part in pieces.
     *
     * @param out takes a buffer that is used again after it returns
     * @throws IllegalStateException if the part is not here
     */
    public void send(long sid, int block, Consumer<ByteBuffer> out) throws IOException {
        Path file = file(sid, block);
        if (!Files.isRegularFile(file)) {
            throw new IllegalStateException("block %d of snapshot %d is not stored here".formatted(block, sid));
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer buffer = ByteBuffer.allocate(PIECE_BYTES);
            while (channel.read(buffer) >= 0) {
                if (!buffer.hasRemaining()) {
                    out.accept(buffer.flip());
                    buffer.clear();
                }
            }
            out.accept(buffer.flip());
        }
    }

    /** Whether there is a part of a snapshot, of this many doubles; says nothing of its values. */
    public boolean has(long sid, int block, int count) throws IOException {
        Path file = file(sid, block);
        return Files.isRegularFile(file) && Files.size(file) == (long) count * Double.BYTES;
    }

    /**
     * Removes the parts of snapshots before this one.
     *
     * @throws IOException if the folder cannot be read; a part that cannot be removed stays
     */
    public void forget(long before) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches() && Long.parseLong(name.group("sid")) < before) {
                    deleteQuietly(file);
                }
            }
        }
    }

    /** Removes all parts, of any snapshot. */
    public void clear() throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private Path file(long sid, int block) {
        return folder.resolve("%d-%d.f64".formatted(block, sid));
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException alreadyReported) {
            // The caller reports why writing failed; a leftover temporary file is removed by the next clear().
        }
    }
}

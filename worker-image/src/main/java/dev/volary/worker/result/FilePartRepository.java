// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Recorded parts of snapshots as files of little-endian doubles below a result folder. A part is durable once
 * {@link #store} has returned: written, forced to the device and renamed to its final name.
 */
public final class FilePartRepository implements PartRepository, PartFiles {
    private static final int BUFFER_DOUBLES = 1 << 16;

    private static final int PIECE_BYTES = 256 << 10;

    private static final Pattern NAME = Pattern.compile("\\d+-(?<sid>\\d+)\\.f64([.].*)?");

    private final Path folder;

    /**
     * @param resultFolder the job's output folder; parts live in a hidden folder inside it
     */
    public FilePartRepository(Path resultFolder) {
        this.folder = resultFolder.resolve(".parts");
    }

    @Override
    public int store(long sid, int block, double[] values, int count) throws IOException {
        try (PartWriter part = begin(sid, block, count)) {
            ByteBuffer buffer = ByteBuffer.allocate(Math.max(1, Math.min(count, BUFFER_DOUBLES)) * Double.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN);
            for (int start = 0; start < count; start += BUFFER_DOUBLES) {
                int length = Math.min(BUFFER_DOUBLES, count - start);
                buffer.clear();
                buffer.asDoubleBuffer().put(values, start, length);
                part.write(buffer.limit(length * Double.BYTES));
            }
            return part.complete();
        }
    }

    /**
     * Starts to store a part that arrives in pieces.
     *
     * @param count number of its doubles
     * @throws IOException naming what could not be written and the remedy
     */
    public PartWriter begin(long sid, int block, int count) throws IOException {
        return new PartWriter(file(sid, block), count);
    }

    /** The pieces of a part that arrives, in order. */
    public interface Pieces {
        /** Waits for the next piece; empty after the last one. */
        Optional<ByteBuffer> next() throws IOException;
    }

    /**
     * Stores a part as its pieces arrive; returns when it is durable.
     *
     * @return CRC-32C of its bytes
     * @throws IllegalStateException if it has more or fewer bytes
     * @throws IOException as {@link #begin}, or if the pieces end early
     */
    public int receive(long sid, int block, int count, Pieces pieces) throws IOException {
        try (PartWriter part = begin(sid, block, count)) {
            Optional<ByteBuffer> piece = pieces.next();
            while (piece.isPresent()) {
                part.write(piece.get());
                piece = pieces.next();
            }
            return part.complete();
        }
    }

    @Override
    public double[] read(long sid, int block, int count, int checksum) throws IOException {
        Path file = file(sid, block);
        double[] values = new double[count];
        CRC32C actual = new CRC32C();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            requireSize(file, channel.size(), count);
            ByteBuffer buffer =
                    ByteBuffer.allocate(BUFFER_DOUBLES * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (int next = 0; next < count; ) {
                int length = Math.min(BUFFER_DOUBLES, count - next);
                fill(file, channel, buffer.clear().limit(length * Double.BYTES));
                actual.update(buffer.flip().duplicate());
                buffer.asDoubleBuffer().get(values, next, length);
                next += length;
            }
        }
        requireChecksum(file, (int) actual.getValue(), checksum);
        return values;
    }

    @Override
    public FileChannel open(long sid, int block, int count, int checksum) throws IOException {
        Path file = file(sid, block);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            requireSize(file, channel.size(), count);
            CRC32C actual = new CRC32C();
            ByteBuffer buffer = ByteBuffer.allocate(PIECE_BYTES);
            while (channel.read(buffer.clear()) >= 0) {
                actual.update(buffer.flip());
            }
            requireChecksum(file, (int) actual.getValue(), checksum);
            return channel.position(0);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Compares a part with its checksum.
     *
     * @throws IOException as {@link #open}
     */
    public void verify(long sid, int block, int count, int checksum) throws IOException {
        open(sid, block, count, checksum).close();
    }

    /**
     * Stores a copy of another repository's part.
     *
     * @throws IOException as {@link #open}, or if it cannot be written here
     */
    public void copy(PartFiles from, long sid, int block, int count, int checksum) throws IOException {
        try (FileChannel part = from.open(sid, block, count, checksum);
                PartWriter copy = begin(sid, block, count)) {
            ByteBuffer buffer = ByteBuffer.allocate(PIECE_BYTES);
            while (part.read(buffer.clear()) >= 0) {
                copy.write(buffer.flip());
            }
            int ignored = copy.complete();
        }
    }

    private static void fill(Path file, FileChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException(file + " became shorter while it was read");
            }
        }
    }

    private static void requireSize(Path file, long bytes, int count) throws IOException {
        if (bytes != (long) count * Double.BYTES) {
            throw new IOException("%s has %d bytes, must have %d; run the job again"
                    .formatted(file, bytes, (long) count * Double.BYTES));
        }
    }

    private static void requireChecksum(Path file, int actual, int checksum) throws IOException {
        if (actual != checksum) {
            throw new IOException(
                    "%s has checksum %08x, was stored with %08x; run the job again".formatted(file, actual, checksum));
        }
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
        forget(before, OptionalLong.empty());
    }

    /**
     * As {@link #forget(long)}.
     *
     * @param kept the snapshot whose parts stay
     */
    public void forget(long before, OptionalLong kept) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches() && isOver(Long.parseLong(name.group("sid")), before, kept)) {
                    deleteQuietly(file);
                }
            }
        }
    }

    /** Whether the parts of a snapshot may go. */
    public static boolean isOver(long sid, long before, OptionalLong kept) {
        return sid < before && (kept.isEmpty() || kept.getAsLong() != sid);
    }

    /** Removes all parts, of any snapshot. */
    public void clear() throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException arriving) {
            // A part that a daemon repeats arrives just now.
        }
    }

    private Path file(long sid, int block) {
        return folder.resolve("%d-%d.f64".formatted(block, sid));
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException alreadyReported) {
            // It stays until the next clear().
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.solver.Decomposition;
import dev.volary.storage.BlobStore;
import dev.volary.storage.BlobStore.Blob;
import dev.volary.storage.BlobStore.OpenBlob;
import dev.volary.worker.result.FilePartRepository;
import dev.volary.worker.result.PartFiles;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The parts of an epoch as objects: little-endian doubles, named as the files of a volume are. No part is copied in memory, and a
 * part that is opened is brought to the local disk first.
 *
 * @param store of the job's checkpoints
 * @param prefix of the keys of this epoch's parts, with a {@code /} at its end
 * @param scratch folder on the local disk
 */
record StoredCheckpointParts(BlobStore store, String prefix, Path scratch) implements CheckpointParts {
    private static final Pattern NAME = Pattern.compile("(?<block>\\d+)-(?<sid>\\d+)[.]f64");
    private static final int BUFFER_BYTES = 1 << 16;

    private String key(long sid, int block) {
        return prefix + block + "-" + sid + ".f64";
    }

    @Override
    public int store(long sid, int block, double[] values, int count) throws IOException {
        CRC32C checksum = new CRC32C();
        try (InputStream bytes = new DoubleStream(values, count)) {
            update(checksum, bytes);
        }
        store.put(key(sid, block), new BlobStore.Content() {
            @Override
            public long bytes() {
                return (long) count * Double.BYTES;
            }

            @Override
            public InputStream open() {
                return new DoubleStream(values, count);
            }
        });
        return (int) checksum.getValue();
    }

    @Override
    public double[] read(long sid, int block, int count, int checksum) throws IOException {
        double[] values = new double[count];
        CRC32C actual = new CRC32C();
        try (OpenBlob part = open(sid, block, count)) {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (int next = 0; next < count; ) {
                int length = Math.min(BUFFER_BYTES / Double.BYTES, count - next);
                int bytes = part.content().readNBytes(buffer.array(), 0, length * Double.BYTES);
                if (bytes < length * Double.BYTES) {
                    throw new IOException(store.location(key(sid, block)) + " ended while it was read");
                }
                actual.update(buffer.array(), 0, bytes);
                buffer.clear().asDoubleBuffer().get(values, next, length);
                next += length;
            }
        }
        requireChecksum(sid, block, actual, checksum);
        return values;
    }

    @Override
    public FileChannel open(long sid, int block, int count, int checksum) throws IOException {
        Files.createDirectories(scratch);
        Path file = Files.createTempFile(scratch, ".part", ".f64");
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        try (OpenBlob part = open(sid, block, count)) {
            CRC32C actual = new CRC32C();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = part.content().read(buffer);
                    read >= 0;
                    read = part.content().read(buffer)) {
                actual.update(buffer, 0, read);
                write(channel, ByteBuffer.wrap(buffer, 0, read));
            }
            requireChecksum(sid, block, actual, checksum);
            return channel.position(0);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private OpenBlob open(long sid, int block, int count) throws IOException {
        OpenBlob part = store.open(key(sid, block));
        if (part.bytes() != (long) count * Double.BYTES) {
            part.close();
            throw new DamagedPartException("%s has %d bytes, must have %d"
                    .formatted(store.location(key(sid, block)), part.bytes(), (long) count * Double.BYTES));
        }
        return part;
    }

    private void requireChecksum(long sid, int block, CRC32C actual, int checksum) throws IOException {
        if ((int) actual.getValue() != checksum) {
            throw new DamagedPartException("%s has checksum %08x, was stored with %08x"
                    .formatted(store.location(key(sid, block)), (int) actual.getValue(), checksum));
        }
    }

    @Override
    public Set<Integer> present(long sid, Decomposition decomposition) throws IOException {
        Map<String, Long> there = new HashMap<>();
        store.list(prefix).forEach(blob -> there.put(blob.key(), blob.bytes()));
        Set<Integer> present = new HashSet<>();
        for (int block = 0; block < decomposition.blocks(); block++) {
            long bytes = (long) decomposition.parts().get(block).core().size() * Double.BYTES;
            if (there.getOrDefault(key(sid, block), -1L) == bytes) {
                present.add(block);
            }
        }
        return present;
    }

    @Override
    public boolean isDamage(IOException failure) {
        return failure instanceof NoSuchFileException || failure instanceof DamagedPartException;
    }

    @Override
    public void verify(long sid, int block, int count, int checksum) throws IOException {
        CRC32C actual = new CRC32C();
        try (OpenBlob part = open(sid, block, count)) {
            update(actual, part.content());
        }
        requireChecksum(sid, block, actual, checksum);
    }

    private static void update(CRC32C checksum, InputStream bytes) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = bytes.read(buffer); read >= 0; read = bytes.read(buffer)) {
            checksum.update(buffer, 0, read);
        }
    }

    @Override
    public void copy(PartFiles from, long sid, int block, int count, int checksum) throws IOException {
        try (FileChannel part = from.open(sid, block, count, checksum)) {
            store.put(key(sid, block), new BlobStore.Content() {
                @Override
                public long bytes() throws IOException {
                    return part.size();
                }

                @Override
                public InputStream open() throws IOException {
                    return new Kept(Channels.newInputStream(part.position(0)));
                }
            });
        }
    }

    @Override
    public void force() {
        // An object is durable once it is stored.
    }

    @Override
    public void forget(long before, OptionalLong kept) throws IOException {
        for (Blob part : store.list(prefix)) {
            Matcher name = NAME.matcher(part.key().substring(prefix.length()));
            if (name.matches() && FilePartRepository.isOver(Long.parseLong(name.group("sid")), before, kept)) {
                store.delete(part.key());
            }
        }
    }

    /** A stream whose end does not close what is below it. */
    private static final class Kept extends FilterInputStream {
        Kept(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // The channel is read again.
        }
    }

    /** The little-endian bytes of an array. */
    private static final class DoubleStream extends InputStream {
        private final double[] values;
        private final int count;
        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        private int next;

        DoubleStream(double[] values, int count) {
            this.values = values;
            this.count = count;
            buffer.limit(0);
        }

        @Override
        public int read() {
            return isAtEnd() ? -1 : buffer.get() & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length == 0) {
                return 0;
            }
            if (isAtEnd()) {
                return -1;
            }
            int bytes = Math.min(length, buffer.remaining());
            buffer.get(target, offset, bytes);
            return bytes;
        }

        private boolean isAtEnd() {
            if (!buffer.hasRemaining() && next < count) {
                int length = Math.min(BUFFER_BYTES / Double.BYTES, count - next);
                buffer.clear().asDoubleBuffer().put(values, next, length);
                buffer.limit(length * Double.BYTES);
                next += length;
            }
            return !buffer.hasRemaining();
        }
    }
}

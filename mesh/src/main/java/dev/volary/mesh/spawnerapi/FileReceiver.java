// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import com.google.protobuf.ByteString;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Writes fetched files into their folder as the pieces arrive. A file has its name once its checksum was right and it was forced to
 * disk; until then its bytes stay under a temporary name, so that a later fetch continues behind them.
 */
final class FileReceiver implements AutoCloseable {
    private record Open(FetchedFile file, Path temporary, FileChannel channel, CRC32C checksum) {}

    private final FetchFolder folder;
    private final FetchProgress progress;
    private final long totalBytes;
    private final List<FetchedFile> named = new ArrayList<>();
    private Optional<Open> open = Optional.empty();
    private boolean complete;
    private long bytes;

    /** @param progress called after each piece */
    FileReceiver(FetchFolder folder, FetchProgress progress) throws IOException {
        this.folder = folder;
        this.progress = progress;
        this.totalBytes = folder.totalBytes();
        this.bytes = folder.bytes();
    }

    /**
     * @throws DamagedFileException if the previous file is complete, and is not what the spawner stated
     * @throws DownloadWriteException if the disk does not take it
     * @throws IOException if the reply does not fit those before
     */
    void take(FetchReply reply) throws IOException {
        switch (reply.getPartCase()) {
            case FILE -> {
                end();
                begin(reply.getFile());
            }
            case PIECE -> write(reply.getPiece());
            case DIGEST -> {
                end();
                compare(reply.getDigest());
            }
            case PART_NOT_SET -> throw new IOException("a reply without contents; use matching versions");
        }
    }

    /**
     * Nothing follows.
     *
     * @throws IOException if not all files have arrived that the call named
     */
    void finish() throws IOException {
        if (!complete) {
            throw new IOException(
                    "the result broke off after " + named.size() + " files, without its digest; fetch again");
        }
    }

    private void compare(String digest) throws IOException {
        String arrived = ResultDigest.of(named);
        if (!arrived.equals(digest)) {
            throw new IOException("the %d files that arrived have digest %s, the spawner states %s; fetch again"
                    .formatted(named.size(), arrived, digest));
        }
        complete = true;
    }

    private void begin(FetchedFile file) throws IOException {
        folder.requireListed(file);
        Path temporary = folder.temporary(file);
        try {
            Files.createDirectories(folder.target(file).getParent());
            FileChannel channel = FileChannel.open(
                    temporary, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            Open begun = new Open(file, temporary, channel, new CRC32C());
            open = Optional.of(begun);
            skip(begun);
        } catch (IOException e) {
            throw new DownloadWriteException(e);
        }
        named.add(file);
    }

    /** Reads the bytes that are here already. A spawner that sends from the beginning gets an empty file. */
    private void skip(Open begun) throws IOException {
        long offset = begun.file.getOffset();
        long size = begun.channel.size();
        if (offset > size) {
            throw new IOException(
                    "%s has %d bytes here, the spawner continues at %d".formatted(begun.temporary, size, offset));
        }
        begun.channel.truncate(offset);
        bytes -= size - offset;
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        while (begun.channel.position() < offset && begun.channel.read(buffer) >= 0) {
            begun.checksum.update(buffer.flip());
            buffer.clear();
        }
    }

    private void write(ByteString piece) throws IOException {
        Open to = open.orElseThrow(() -> new IOException("contents came before their file's name"));
        ByteBuffer left = piece.asReadOnlyByteBuffer();
        to.checksum.update(left.duplicate());
        try {
            while (left.hasRemaining()) {
                to.channel.write(left);
            }
        } catch (IOException e) {
            throw new DownloadWriteException(e);
        }
        bytes += piece.size();
        progress.at(bytes, totalBytes);
    }

    private void end() throws IOException {
        if (open.isEmpty()) {
            return;
        }
        Open done = open.get();
        try {
            long size = done.channel.position();
            done.channel.force(true);
            close();
            requireWhole(done, size);
            Files.move(
                    done.temporary,
                    folder.target(done.file),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (DamagedFileException e) {
            throw e;
        } catch (IOException e) {
            throw new DownloadWriteException(e);
        }
        folder.completed(done.file);
    }

    private static void requireWhole(Open done, long size) throws IOException {
        FetchedFile file = done.file;
        if (size != file.getBytes() || (int) done.checksum.getValue() != file.getChecksum()) {
            Files.deleteIfExists(done.temporary);
            throw new DamagedFileException(
                    "%s arrived with %d bytes and checksum %08x, has %d and %08x; fetch again"
                            .formatted(
                                    file.getPath(),
                                    size,
                                    (int) done.checksum.getValue(),
                                    file.getBytes(),
                                    file.getChecksum()),
                    file.getOffset() > 0);
        }
    }

    @Override
    public void close() throws IOException {
        if (open.isPresent()) {
            Open there = open.get();
            open = Optional.empty();
            there.channel.close();
        }
    }
}

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
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/**
 * Writes fetched files below a folder as their pieces arrive. A file has its name once its checksum was right and it was forced to
 * disk. What is written is complete once the digest of all files was right.
 */
final class FileReceiver implements AutoCloseable {
    private record Open(FetchedFile file, Path temporary, Path target, FileChannel channel, CRC32C checksum) {}

    private final Path folder;
    private final LongConsumer progress;
    private final List<FetchedFile> written = new ArrayList<>();
    private Optional<Open> open = Optional.empty();
    private boolean complete;
    private long bytes;

    /** @param progress called with the number of bytes written so far, after each piece */
    FileReceiver(Path folder, LongConsumer progress) {
        this.folder = folder;
        this.progress = progress;
    }

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
     * All files, when nothing follows.
     *
     * @throws IOException if not all of them have arrived
     */
    List<FetchedFile> finish() throws IOException {
        if (!complete) {
            throw new IOException(
                    "the result broke off after " + written.size() + " files, without its digest; fetch again");
        }
        return List.copyOf(written);
    }

    private void compare(String digest) throws IOException {
        String arrived = ResultDigest.of(written);
        if (!arrived.equals(digest)) {
            throw new IOException("the %d files that arrived have digest %s, the result has %s; fetch again"
                    .formatted(written.size(), arrived, digest));
        }
        complete = true;
    }

    private void begin(FetchedFile file) throws IOException {
        Path target = folder.resolve(file.getPath()).normalize();
        if (!target.startsWith(folder.normalize()) || target.equals(folder.normalize())) {
            throw new IOException("the spawner names a file outside of the result: " + file.getPath());
        }
        Files.createDirectories(target.getParent());
        Path temporary = target.resolveSibling(target.getFileName() + ".tmp");
        open = Optional.of(new Open(
                file,
                temporary,
                target,
                FileChannel.open(
                        temporary,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING),
                new CRC32C()));
    }

    private void write(ByteString piece) throws IOException {
        Open to = open.orElseThrow(() -> new IOException("contents came before their file's name"));
        ByteBuffer left = piece.asReadOnlyByteBuffer();
        to.checksum.update(left.duplicate());
        while (left.hasRemaining()) {
            to.channel.write(left);
        }
        bytes += piece.size();
        progress.accept(bytes);
    }

    private void end() throws IOException {
        if (open.isEmpty()) {
            return;
        }
        Open done = open.get();
        long size = done.channel.position();
        done.channel.force(true);
        close();
        if (size != done.file.getBytes() || (int) done.checksum.getValue() != done.file.getChecksum()) {
            Files.deleteIfExists(done.temporary);
            throw new IOException("%s arrived with %d bytes and checksum %08x, has %d and %08x; fetch again"
                    .formatted(
                            done.file.getPath(),
                            size,
                            (int) done.checksum.getValue(),
                            done.file.getBytes(),
                            done.file.getChecksum()));
        }
        Files.move(done.temporary, done.target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        written.add(done.file);
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

// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Objects as files below a folder, for example on a volume. A file is written beside its final name, forced to disk and renamed. */
public final class FolderStore implements BlobStore {
    private static final String TEMPORARY = ".tmp";

    private final Path root;

    /** @param root created with the first object */
    public FolderStore(Path root) {
        this.root = root;
    }

    @Override
    public void put(String key, Path file) throws IOException {
        store(key, temporary -> {
            Files.copy(file, temporary, StandardCopyOption.REPLACE_EXISTING);
            force(temporary, StandardOpenOption.WRITE);
        });
    }

    @Override
    public void put(String key, byte[] content) throws IOException {
        store(key, temporary -> {
            try (FileChannel channel = FileChannel.open(
                    temporary,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer left = ByteBuffer.wrap(content);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
                channel.force(true);
            }
        });
    }

    private interface Writer {
        void write(Path temporary) throws IOException;
    }

    private void store(String key, Writer content) throws IOException {
        Path target = path(key);
        Path parent = target.resolveSibling("");
        Files.createDirectories(parent);
        Path temporary = target.resolveSibling(target.getFileName() + TEMPORARY);
        try {
            content.write(temporary);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            force(parent, StandardOpenOption.READ);
        } catch (IOException e) {
            deleteQuietly(temporary, e);
            throw e;
        }
    }

    @Override
    public byte[] get(String key) throws IOException {
        return Files.readAllBytes(path(key));
    }

    @Override
    public void download(String key, Path target) throws IOException {
        Files.copy(path(key), target, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public List<Blob> list(String prefix) throws IOException {
        List<Blob> found = new ArrayList<>();
        if (Files.isDirectory(root)) {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String key = root.relativize(file).toString().replace('\\', '/');
                    if (key.startsWith(prefix) && !key.endsWith(TEMPORARY)) {
                        found.add(new Blob(key, attributes.size()));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        found.sort(Comparator.comparing(Blob::key));
        return List.copyOf(found);
    }

    @Override
    public void delete(String key) throws IOException {
        Files.deleteIfExists(path(key));
    }

    @Override
    public String location(String key) {
        return path(key).toString();
    }

    private Path path(String key) {
        Path path = root.resolve(key).normalize();
        if (key.isEmpty() || !path.startsWith(root.normalize()) || path.equals(root.normalize())) {
            throw new IllegalArgumentException("key \"" + key + "\" is not a path below the store's folder");
        }
        return path;
    }

    private static void force(Path path, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }

    private static void deleteQuietly(Path file, IOException cause) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            cause.addSuppressed(stays);
        }
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}

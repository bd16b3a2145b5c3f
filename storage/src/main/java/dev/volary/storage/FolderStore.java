// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Objects as files below a folder, for example on a volume. A file is written beside its final name, forced to disk and renamed. */
public final class FolderStore implements BlobStore {
    private static final String TEMPORARY = ".tmp";

    private final Path root;

    /** @param root created with the first object */
    public FolderStore(Path root) {
        this.root = root;
    }

    @Override
    public void put(String key, Content content) throws IOException {
        Path target = path(key);
        Path parent = target.resolveSibling("");
        Files.createDirectories(parent);
        Path temporary = target.resolveSibling(target.getFileName() + TEMPORARY);
        try {
            try (InputStream in = content.open()) {
                Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
            }
            force(temporary, StandardOpenOption.WRITE);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            force(parent, StandardOpenOption.READ);
        } catch (IOException e) {
            deleteQuietly(temporary, e);
            throw e;
        }
    }

    @Override
    public OpenBlob open(String key) throws IOException {
        Path file = path(key);
        return new OpenBlob(Files.size(file), Files.newInputStream(file));
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

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    if (e instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE; // another process has removed or renamed it
                    }
                    throw e;
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

    /** Removes the folder itself too. */
    @Override
    public void deleteAll(String folder) throws IOException {
        Path path = path(folder);
        if (!Files.isDirectory(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
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

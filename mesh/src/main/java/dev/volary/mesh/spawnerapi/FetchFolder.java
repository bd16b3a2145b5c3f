// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.mesh.v1.FetchPosition;
import dev.volary.mesh.v1.FetchedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The folder into which a result is fetched, and what of the result is in it. The file {@code .digest} names the result, so that a
 * later fetch of the same result, from this spawner or another one, continues: it keeps the files that are whole, and the first
 * bytes of a file that is not. A fetch of another result starts with an empty folder. For one thread.
 */
final class FetchFolder {
    private static final String DIGEST = ".digest";
    private static final String TEMPORARY = ".tmp";

    private final Path folder;
    private final Map<String, FetchedFile> files = new LinkedHashMap<>();
    private final Set<String> whole = new HashSet<>();

    private FetchFolder(Path folder, Collection<FetchedFile> files) throws IOException {
        this.folder = folder.normalize();
        for (FetchedFile file : files) {
            Path target = target(file);
            if (!target.startsWith(this.folder) || target.equals(this.folder)) {
                throw new IOException("the spawner names a file outside of the result: " + file.getPath());
            }
            this.files.put(file.getPath(), file);
        }
    }

    /**
     * Reads what is in the folder, and removes what does not belong to the result or is damaged.
     *
     * @param files all files of the result
     * @throws IOException if a file's path leads out of the folder
     * @throws DownloadWriteException if the folder cannot be read or written
     */
    static FetchFolder open(Path folder, Collection<FetchedFile> files) throws IOException {
        FetchFolder opened = new FetchFolder(folder, files);
        try {
            opened.scan(ResultDigest.of(files));
        } catch (IOException e) {
            throw new DownloadWriteException(e);
        }
        return opened;
    }

    private void scan(String digest) throws IOException {
        Files.createDirectories(folder);
        boolean isSame = digest.equals(recorded());
        Set<Path> known = new HashSet<>();
        if (isSame) {
            known.add(folder.resolve(DIGEST));
            files.values().forEach(file -> known.addAll(List.of(target(file), temporary(file))));
        }
        for (Path file : regularFiles()) {
            if (!known.contains(file)) {
                Files.delete(file);
            }
        }
        if (!isSame) {
            Path written = Files.writeString(folder.resolve(DIGEST + TEMPORARY), digest);
            Files.move(written, folder.resolve(DIGEST), StandardCopyOption.ATOMIC_MOVE);
        }
        for (FetchedFile file : files.values()) {
            keepIfWhole(file);
        }
    }

    private String recorded() throws IOException {
        try {
            return Files.readString(folder.resolve(DIGEST));
        } catch (NoSuchFileException none) {
            return "";
        }
    }

    private List<Path> regularFiles() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        }
    }

    private void keepIfWhole(FetchedFile file) throws IOException {
        Path target = target(file);
        Path temporary = temporary(file);
        if (Files.exists(target)) {
            if (isWhole(target, file)) {
                whole.add(file.getPath());
                Files.deleteIfExists(temporary);
                return;
            }
            Files.delete(target);
        }
        if (Files.exists(temporary) && Files.size(temporary) > file.getBytes()) {
            Files.delete(temporary);
        }
    }

    private static boolean isWhole(Path there, FetchedFile file) throws IOException {
        if (Files.size(there) != file.getBytes()) {
            return false;
        }
        try (InputStream in = Files.newInputStream(there)) {
            return checksum(in, file.getBytes()) == file.getChecksum();
        }
    }

    /** CRC-32C of the first bytes of a stream. */
    private static int checksum(InputStream in, long bytes) throws IOException {
        CRC32C checksum = new CRC32C();
        byte[] buffer = new byte[1 << 16];
        long left = bytes;
        while (left > 0) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                break;
            }
            checksum.update(buffer, 0, read);
            left -= read;
        }
        return (int) checksum.getValue();
    }

    /** Bytes of the result. */
    long totalBytes() {
        return files.values().stream().mapToLong(FetchedFile::getBytes).sum();
    }

    /** Bytes of the result that are here. */
    long bytes() throws IOException {
        long bytes = 0;
        for (FetchedFile file : files.values()) {
            bytes += whole.contains(file.getPath()) ? file.getBytes() : offset(file);
        }
        return bytes;
    }

    /**
     * The files that are not whole, and where their missing bytes start.
     *
     * @param most number of files
     */
    List<FetchPosition> missing(int most) throws IOException {
        List<FetchPosition> missing = new ArrayList<>();
        for (FetchedFile file : files.values()) {
            if (!whole.contains(file.getPath()) && missing.size() < most) {
                missing.add(FetchPosition.newBuilder()
                        .setPath(file.getPath())
                        .setOffset(offset(file))
                        .build());
            }
        }
        return missing;
    }

    private long offset(FetchedFile file) throws IOException {
        Path temporary = temporary(file);
        return Files.exists(temporary) ? Files.size(temporary) : 0;
    }

    /** @throws IOException if this is not a file of the result, as the result was listed */
    void requireListed(FetchedFile file) throws IOException {
        FetchedFile listed = files.get(file.getPath());
        if (listed == null || listed.getBytes() != file.getBytes() || listed.getChecksum() != file.getChecksum()) {
            throw new IOException(
                    file.getPath() + " is not as the spawner has listed it: the result has changed; fetch again");
        }
    }

    /** The file has its name. */
    void completed(FetchedFile file) {
        whole.add(file.getPath());
    }

    /** Final path of a file. */
    Path target(FetchedFile file) {
        return folder.resolve(file.getPath()).normalize();
    }

    /** Path of a file until it is whole. */
    Path temporary(FetchedFile file) {
        Path target = target(file);
        return target.resolveSibling(target.getFileName() + TEMPORARY);
    }
}

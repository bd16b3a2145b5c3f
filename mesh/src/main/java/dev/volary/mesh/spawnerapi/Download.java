// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Replaces a folder by one that is fetched. The new one is written beside the old one, in the same file system, forced to disk and
 * then renamed, so that the final name always stands for one whole folder. Whatever ends the process leaves the old folder, or
 * the new one, or at worst the old one under the name {@code <name>.earlier}; {@link #to} then gives it its name again.
 *
 * <p>Two downloads to the same target must not run at once.
 */
public final class Download {
    private final Path target;
    private final Path folder;
    private final Path earlier;

    private Download(Path target) {
        this.target = target;
        this.folder = target.resolveSibling(".fetching");
        this.earlier = target.resolveSibling(target.getFileName() + ".earlier");
    }

    /**
     * Begins a download. Removes what an interrupted one has left.
     *
     * @param target the final name; its parent is created
     * @throws IOException if the parent cannot be written, or leftovers cannot be removed
     */
    public static Download to(Path target) throws IOException {
        Download download = resume(target);
        download.restart();
        return download;
    }

    /**
     * Begins a download, or continues one: what an interrupted one has left stays in {@link #folder}.
     *
     * @param target the final name; its parent is created
     * @throws IOException if the parent cannot be written
     */
    public static Download resume(Path target) throws IOException {
        Download download = new Download(target);
        if (Files.exists(download.earlier) && !Files.exists(target)) {
            Files.move(download.earlier, target, StandardCopyOption.ATOMIC_MOVE);
        }
        delete(download.earlier);
        Files.createDirectories(download.folder);
        return download;
    }

    /** Begins again with an empty folder. */
    public void restart() throws IOException {
        discard();
        Files.createDirectories(folder);
    }

    /** Where files are written; the new folder stands in it under its final name. */
    public Path folder() {
        return folder;
    }

    /** The new folder before it is accepted. */
    public Path arrived() {
        return folder.resolve(target.getFileName());
    }

    /** The final name. */
    public Path target() {
        return target;
    }

    /**
     * Gives the new folder its name, in place of the old one.
     *
     * @throws IOException if the old folder cannot be replaced, and then stands where it was; or if the old folder cannot be
     *     removed after it was replaced, which the message says
     */
    public void accept() throws IOException {
        force(arrived());
        boolean replaces = Files.exists(target);
        if (replaces) {
            Files.move(target, earlier, StandardCopyOption.ATOMIC_MOVE);
        }
        try {
            Files.move(arrived(), target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (replaces) {
                Files.move(earlier, target, StandardCopyOption.ATOMIC_MOVE);
            }
            throw e;
        }
        forceOne(target.resolveSibling(""));
        try {
            delete(earlier);
        } catch (IOException e) {
            throw new IOException(
                    "%s is complete, but the earlier one, now %s, cannot be removed: %s; remove it"
                            .formatted(target, earlier, e),
                    e);
        }
    }

    /** Removes what is not accepted. */
    public void discard() throws IOException {
        delete(folder);
    }

    /** Forces all files and folders of a tree to disk. */
    private static void force(Path tree) throws IOException {
        for (Path path : leavesFirst(tree)) {
            forceOne(path);
        }
    }

    private static void forceOne(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void delete(Path tree) throws IOException {
        if (Files.exists(tree)) {
            for (Path path : leavesFirst(tree)) {
                Files.delete(path);
            }
        }
    }

    private static List<Path> leavesFirst(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        }
    }
}

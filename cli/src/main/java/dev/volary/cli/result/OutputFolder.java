// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The output folder of a run, {@code out/<job>/}, and the paths of its files.
 *
 * @param folder path of the folder
 */
public record OutputFolder(Path folder) {

    /**
     * Creates the folder if it does not exist. Files of an earlier run stay until they are replaced.
     *
     * @throws IOException if it cannot be created or written to; names the folder and the remedy
     */
    public static OutputFolder create(Path folder) throws IOException {
        try {
            Files.createDirectories(folder);
            Path probe = Files.createTempFile(folder, ".writable", "");
            Files.delete(probe);
        } catch (FileAlreadyExistsException isFile) {
            throw new IOException(folder + " is a file; remove it or choose another output folder", isFile);
        } catch (IOException refused) {
            throw notWritten(folder, refused);
        }
        return new OutputFolder(folder);
    }

    /** The result, a Zarr group. */
    public Path result() {
        return folder.resolve("result.zarr");
    }

    /** The picture of the result. */
    public Path picture() {
        return folder.resolve("result.png");
    }

    /** See {@link ResidualHistory}. */
    public Path residuals() {
        return folder.resolve("residuals.csv");
    }

    /** See {@link EventLog}. */
    public Path events() {
        return folder.resolve("events.jsonl");
    }

    /** See {@link Provenance}. */
    public Path provenance() {
        return folder.resolve("provenance.json");
    }

    /** An exception that names the file, the reason of the system, and the remedy. */
    static IOException notWritten(Path file, IOException cause) {
        String said = cause.getMessage();
        String reason =
                switch (cause) {
                    case NoSuchFileException missing -> "its folder does not exist";
                    case AccessDeniedException denied -> "permission denied";
                    case FileSystemException system when system.getReason() != null -> system.getReason();
                    default -> said == null ? "the system gives no reason" : said;
                };
        return new IOException(
                file + " cannot be written (" + reason + "); make room, or choose another output folder", cause);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says why a file cannot be written. The message speaks of disk space only if there is none left. */
public final class WriteFailure {
    private static final List<String> FULL =
            List.of("No space left on device", "Disk quota exceeded", "File too large");

    private WriteFailure() {}

    /** A failure that names the file, the cause and, where one is known, the remedy. */
    public static IOException of(Path file, IOException cause) {
        String reason = reason(cause);
        String remedy = remedy(cause);
        return new IOException("cannot write " + file + ": " + reason + (reason.endsWith(remedy) ? "" : remedy), cause);
    }

    /** Whether the disk has no space left, or no more than a quota or a limit of the process grants. */
    public static boolean isDiskFull(IOException failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (FULL.stream().anyMatch(message::contains)) {
                return true;
            }
        }
        return false;
    }

    private static String remedy(IOException cause) {
        if (isDiskFull(cause)) {
            return "; free space there or choose another output folder";
        }
        boolean isName = cause instanceof FileSystemException
                || String.valueOf(cause.getMessage()).contains("Read-only file system");
        return isName ? "; make it writable or choose another output folder" : "";
    }

    private static String reason(IOException cause) {
        if (cause instanceof FileSystemException failed && failed.getReason() != null) {
            return failed.getReason();
        }
        return cause.getMessage() == null || cause instanceof FileSystemException
                ? cause.toString()
                : cause.getMessage();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.result;

import dev.volary.cli.console.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the result that a command is given. */
public final class ResultFolder {
    private ResultFolder() {}

    /**
     * The group {@code result.zarr}.
     *
     * @param given it, or the output folder that it is in
     * @throws UsageException if there is none
     */
    public static Path zarr(Path given) throws UsageException {
        Path zarr = Files.isDirectory(given.resolve("result.zarr")) ? given.resolve("result.zarr") : given;
        if (!Files.isRegularFile(zarr.resolve("zarr.json"))) {
            throw new UsageException(
                    given + " is not a result: it contains no result.zarr; name the output folder of a finished run");
        }
        return zarr;
    }
}

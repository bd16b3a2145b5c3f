// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.command;

import dev.volary.cli.console.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** The result that a command reads. */
final class ResultArgument {
    @Parameters(paramLabel = "RESULT", description = "Output folder of a run, or the result.zarr in it.")
    private Path result = Path.of("");

    /**
     * The group {@code result.zarr}.
     *
     * @throws UsageException if there is none
     */
    Path zarr() throws UsageException {
        Path zarr = Files.isDirectory(result.resolve("result.zarr")) ? result.resolve("result.zarr") : result;
        if (!Files.isRegularFile(zarr.resolve("zarr.json"))) {
            throw new UsageException(
                    result + " is not a result: it contains no result.zarr; name the output folder of a finished run");
        }
        return zarr;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.command;

import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.UsageException;
import dev.volary.cli.result.VtkImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code volary export}: writes a result in the format of another program. */
@Command(
        name = "export",
        description = "Write a result as a VTK image (.vti), for ParaView.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class ExportCommand implements Callable<Integer> {
    private static final String EXTENSION = ".vti";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ResultArgument result = new ResultArgument();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "File with the extension .vti. Default: result.vti beside the result.")
    private Optional<Path> output = Optional.empty();

    @Override
    public Integer call() throws IOException, UsageException {
        Path zarr = result.zarr();
        Path file = output.orElse(zarr.resolveSibling("result" + EXTENSION));
        if (!file.toString().endsWith(EXTENSION)) {
            throw new UsageException("--output is " + file + "; name a file with the extension " + EXTENSION);
        }
        VtkImage.write(zarr, file);
        spec.commandLine().getOut().println(file);
        return ExitCode.CERTIFIED.code();
    }
}

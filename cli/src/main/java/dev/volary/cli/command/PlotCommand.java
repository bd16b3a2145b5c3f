// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.command;

import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.UsageException;
import dev.volary.cli.plot.ResultPlot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code volary plot}: draws a result as a picture. */
@Command(
        name = "plot",
        description = "Draw a result as a PNG picture.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class PlotCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ResultArgument result = new ResultArgument();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Picture file. Default: result.png beside the result.")
    private Optional<Path> output = Optional.empty();

    @Override
    public Integer call() throws IOException, UsageException {
        Path zarr = result.zarr();
        Path picture = output.orElse(zarr.resolveSibling("result.png"));
        ResultPlot.draw(zarr, picture);
        spec.commandLine().getOut().println(picture);
        return ExitCode.CERTIFIED.code();
    }
}

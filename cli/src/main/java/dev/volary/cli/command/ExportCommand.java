// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.command;

import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.UsageException;
import dev.volary.cli.result.ResultField;
import dev.volary.cli.result.VtkExport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
        description = "Write a result for ParaView: as a VTK image (.vti), a mesh as an unstructured grid"
                + " (.vtu), or several time steps as a series (.pvd).",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class ExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ResultArgument result = new ResultArgument();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "File with the extension .vti, .vtu for a mesh, or .pvd for all time steps of a result that has several."
                            + " Default: result.vti, result.vtu or result.pvd beside the result.")
    private Optional<Path> output = Optional.empty();

    @Override
    public Integer call() throws IOException, UsageException {
        Path zarr = result.zarr();
        List<ResultField.Step> steps = ResultField.steps(zarr);
        String one = VtkExport.extension(ResultField.open(zarr));
        Path file = output.orElse(zarr.resolveSibling("result" + (steps.isEmpty() ? one : VtkExport.SERIES)));
        if (file.toString().endsWith(one)) {
            VtkExport.write(zarr, file);
        } else if (!file.toString().endsWith(VtkExport.SERIES)) {
            throw new UsageException("--output is " + file + "; for this result, name a file with the extension " + one
                    + " or " + VtkExport.SERIES);
        } else if (steps.isEmpty()) {
            throw new UsageException(
                    "--output is " + file + ", but the result has one time step only; name a file with the"
                            + " extension " + one + ", or run the job with spec.result.everySteps");
        } else {
            VtkExport.writeSeries(steps, file);
        }
        spec.commandLine().getOut().println(file);
        return ExitCode.CERTIFIED.code();
    }
}

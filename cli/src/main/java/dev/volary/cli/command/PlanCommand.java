// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.command;

import dev.volary.cli.check.JobPreflight;
import dev.volary.cli.check.ProblemCatalogue;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.JsonText;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.Table;
import dev.volary.cli.console.Units;
import dev.volary.cli.console.UsageException;
import dev.volary.cli.local.WorkerJvm;
import dev.volary.cli.plan.JobPlan;
import dev.volary.cli.plan.MeasuredBlock;
import dev.volary.job.manifest.ManifestException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code volary plan}: prints blocks, memory, halo traffic and predicted iterations of a job, and what one block costs here. */
@Command(
        name = "plan",
        description = "Show what a job will need: blocks, memory, halo traffic, predicted iterations.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class PlanCommand implements Callable<Integer> {
    private static final int ROWS = 32;

    private final Style style;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "Manifest of the job.")
    private Path file = Path.of("");

    @Option(
            names = "--measure",
            description =
                    "Also let the block that works most iterate for some seconds, and predict time and memory from it.")
    private boolean measure;

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "Cores of each daemon, for --measure. Default: an even share of this machine's.")
    private @Nullable Integer cores;

    @Option(names = "--json", description = "Print everything as JSON.")
    private boolean json;

    public PlanCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws ManifestException, UsageException, IOException, InterruptedException {
        if (cores != null && (!measure || cores < 1)) {
            throw new UsageException("--cores is " + cores
                    + (measure ? ", must be at least 1" : ", but nothing is measured; add --measure"));
        }
        ValidatedJob checked = JobPreflight.check(file, ProblemCatalogue.load());
        JobPlan plan = JobPlan.of(checked);
        PrintWriter err = spec.commandLine().getErr();
        checked.notices().forEach(notice -> err.println(style.yellow("notice: ") + notice));
        if (plan.sweeps().orElse(0) > JobPlan.MANY_SWEEPS) {
            err.println(style.yellow("warning: ") + "about "
                    + Units.count(plan.sweeps().getAsDouble())
                    + " sweeps are predicted; use Multigrid or a method with local solves, a coarser grid or a larger tolerance"
                    + " to need fewer");
        }
        Optional<MeasuredBlock> measured = measure
                ? Optional.of(MeasuredBlock.of(checked, plan, WorkerJvm.installed(WorkerJvm.Length.LARGE)))
                : Optional.empty();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(JsonText.pretty(plan.json(measured.map(found -> found.json(checked, plan, cores(plan))))));
        } else {
            print(plan, out);
            measured.ifPresent(found -> print(found, checked, plan, out));
        }
        return ExitCode.CERTIFIED.code();
    }

    private void print(JobPlan plan, PrintWriter out) {
        out.println(style.bold(plan.job()) + ": " + Units.count(plan.unknowns()) + " unknowns in "
                + plan.blocks().size() + " blocks on " + plan.daemons() + " daemons"
                + plan.method().map(method -> ", by " + method).orElse(""));
        out.println();
        Table table = new Table(">BLOCK", ">DAEMON", ">UNKNOWNS", ">MEMORY", ">NEIGHBORS", ">HALO IN", ">HALO OUT");
        for (JobPlan.BlockPlan block :
                plan.blocks().subList(0, Math.min(ROWS, plan.blocks().size()))) {
            table.row(
                    Integer.toString(block.id()),
                    Integer.toString(block.daemon()),
                    Long.toString(block.unknowns()),
                    Units.bytes(block.bytes()),
                    Integer.toString(block.neighbors()),
                    Units.bytes(block.bytesIn()),
                    Units.bytes(block.bytesOut()));
        }
        table.lines(style).forEach(out::println);
        if (plan.blocks().size() > ROWS) {
            out.println("… and " + (plan.blocks().size() - ROWS) + " more; --json shows all");
        }
        out.println();
        long[] memory = plan.bytesOfDaemons();
        long most = Arrays.stream(memory).max().orElse(0);
        out.println("memory of the blocks    " + Units.bytes(most) + " on the fullest daemon, "
                + Units.bytes(Arrays.stream(memory).sum()) + " in total");
        long largest =
                plan.links().stream().mapToLong(JobPlan.LinkPlan::bytes).max().orElse(0);
        out.println(
                "halo traffic            " + Units.bytes(plan.bytesPerIteration()) + " per iteration of all blocks on "
                        + plan.links().size() + " links, largest " + Units.bytes(largest) + "; "
                        + Units.bytes(plan.localBytesPerIteration()) + " of it within daemons");
        out.println("predicted iterations    "
                + (plan.sweeps().isPresent()
                        ? "about " + Units.count(plan.sweeps().getAsDouble()) + " of each block"
                        : "none: convergence is not certified"));
    }

    private int cores(JobPlan plan) {
        return cores != null ? cores : Math.max(1, Runtime.getRuntime().availableProcessors() / plan.daemons());
    }

    private void print(MeasuredBlock measured, ValidatedJob checked, JobPlan plan, PrintWriter out) {
        int each = cores(plan);
        out.println("measured                block " + measured.block() + ": " + seconds(measured.openSeconds())
                + " to open it, " + seconds(measured.iterationSeconds()) + " for an iteration, "
                + Units.bytes(measured.heapBytes()) + " of heap");
        OptionalDouble time = measured.predictedSeconds(checked, plan, each);
        out.println("predicted time          "
                + (time.isPresent() ? seconds(time.getAsDouble()) + " of computing" : "none without iterations")
                + " with " + each + (each == 1 ? " core" : " cores") + " for each daemon");
        out.println("predicted memory        " + Units.bytes(measured.heapOfFullestDaemon(plan))
                + " of heap for the blocks of the fullest daemon");
        measured.betterBlocks(plan, each)
                .ifPresent(better ->
                        out.println("advice                  a daemon has more cores than blocks: set spec.blocks to "
                                + better + ", one for each core"));
    }

    private static String seconds(double seconds) {
        return seconds < 1e-3
                ? Math.round(1e6 * seconds) + " µs"
                : Units.time(Duration.ofNanos(Math.round(1e9 * seconds)));
    }
}

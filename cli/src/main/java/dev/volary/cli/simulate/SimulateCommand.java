// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.chaos.ChaosOptions;
import dev.volary.cli.check.JobPreflight;
import dev.volary.cli.check.ProblemCatalogue;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.console.JsonText;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.TimeOption;
import dev.volary.cli.console.Units;
import dev.volary.cli.console.UsageException;
import dev.volary.job.manifest.ManifestException;
import dev.volary.simulator.check.SimulatedJobReport;
import dev.volary.simulator.scenario.FailureModel;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code volary simulate}: runs a job in virtual time while the simulator checks invariants. */
@Command(
        name = "simulate",
        description = {
            "Run a job in virtual time, with any number of daemons and failures, in one process.",
            "",
            "Blocks really compute; workers, clocks, networks and failures are simulated. Invariants are checked after"
                    + " every message; a violation is printed with the command that reproduces it."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class SimulateCommand implements Callable<Integer> {
    private static final int MAX_RUNS = 1_000_000;
    private static final Duration DEFAULT_PACE = Duration.ofMillis(1);

    private final Style style;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "Manifest of the job.")
    private Path file = Path.of("");

    @Option(
            names = "--daemons",
            paramLabel = "N",
            description =
                    "Number of daemons. Default: spec.daemons.replicas. The problem gets at least one block per daemon.")
    private Optional<Integer> daemons = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of all random choices. Default: drawn, and printed.")
    private Optional<Long> seed = Optional.empty();

    @Option(
            names = "--runs",
            paramLabel = "M",
            description = "Number of runs, with consecutive seeds. Default: ${DEFAULT-VALUE}.")
    private int runs = 1;

    @Option(
            names = "--pace",
            paramLabel = "TIME",
            description = "Minimum duration of an iteration, for example 10ms. Default: spec.chaos.pace, or 1ms.")
    private Optional<String> pace = Optional.empty();

    @Option(
            names = "--faults",
            paramLabel = "LIST",
            description = "Network faults, for example delay=20ms±5ms,loss=0.2,duplicate=0.05,reorder=0.1.")
    private String faults = "";

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description = "Maximum real time that one run may compute. Default: ${DEFAULT-VALUE}.")
    private String budget = "10m";

    @Option(names = "--json", description = "Print one JSON object per line, for programs.")
    private boolean json;

    @ArgGroup(validate = false, heading = "%nFault injection:%n")
    private ChaosOptions chaos = new ChaosOptions();

    @ArgGroup(validate = false, heading = "%nRandom failures:%n")
    private FailureOptions failures = new FailureOptions();

    public SimulateCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws ManifestException, UsageException {
        ValidatedJob checked = JobPreflight.check(file, ProblemCatalogue.load());
        Duration limit = TimeOption.positive("--budget", budget);
        if (runs < 1 || runs > MAX_RUNS) {
            throw new UsageException("--runs is " + runs + ", must be from 1 to " + MAX_RUNS);
        }
        SimulationPlan plan =
                SimulationPlan.of(checked, daemons, chaos.zones(), NetworkOptions.parse(faults), pace(checked));
        int workers = plan.job().daemons() + plan.job().standbys();
        LongFunction<FailureModel> failureModel =
                failures.model(chaos, workers, plan.job().spawners());
        plan.requireAffordable(Math.min(runs, Runtime.getRuntime().availableProcessors()), limit);
        printNotices(plan, checked);

        long first = seed.orElseGet(() -> new SecureRandom().nextLong() >>> 1);
        SimulationText text = new SimulationText(checked, plan.job(), limit, reproducer());
        PrintWriter out = spec.commandLine().getOut();
        boolean isSingle = runs == 1;
        List<SimulatedJobReport> reports = new ArrayList<>();
        LongStream.range(first, first + runs)
                .parallel()
                .mapToObj(each -> plan.job().run(each, failureModel.apply(each), within(limit)))
                .forEachOrdered(report -> {
                    reports.add(report);
                    if (json || !isSingle) {
                        out.println(json ? JsonText.line(text.json(report)) : text.line(report, style));
                    }
                });
        if (isSingle && !json) {
            text.lines(reports.getFirst(), style).forEach(out::println);
        } else if (!isSingle) {
            SimulationTotals totals = new SimulationTotals(reports);
            if (json) {
                out.println(JsonText.line(totals.json()));
            } else {
                totals.lines(style).forEach(out::println);
            }
        }
        out.flush();
        return SimulationTotals.exitCode(reports).code();
    }

    private Duration pace(ValidatedJob checked) throws UsageException {
        return pace.isPresent()
                ? TimeOption.positive("--pace", pace.get())
                : checked.spec().chaos().paceDuration().orElse(DEFAULT_PACE);
    }

    private void printNotices(SimulationPlan plan, ValidatedJob checked) {
        PrintWriter err = spec.commandLine().getErr();
        plan.notices().forEach(notice -> err.println(style.yellow("notice: ") + notice));
        chaos.notices(checked.spec(), checked.model().timeStepping().isPresent())
                .forEach(notice -> err.println(style.yellow("notice: ") + notice));
        plan.predicted()
                .filter(time -> time.compareTo(Duration.ofMinutes(1)) > 0)
                .ifPresent(time -> err.println(
                        style.yellow("notice: ") + "each run is predicted to compute for about " + Units.time(time)));
    }

    /** The command line that repeats a run, by its seed. */
    private LongFunction<String> reproducer() {
        StringBuilder line = new StringBuilder("volary simulate");
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        boolean isValue = false;
        for (String argument : arguments) {
            boolean isOfOneRun = argument.startsWith("--seed") || argument.startsWith("--runs");
            if (!isOfOneRun && !isValue && !argument.equals("simulate")) {
                line.append(' ').append(argument.matches("[-\\w./=,:±]+") ? argument : "'" + argument + "'");
            }
            isValue = isOfOneRun && !argument.contains("=");
        }
        return each -> line + " --seed " + each;
    }

    private static BooleanSupplier within(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        return () -> System.nanoTime() - end < 0;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.simulate;

import dev.volary.cli.JsonText;
import dev.volary.cli.Style;
import dev.volary.cli.TimeOption;
import dev.volary.cli.Units;
import dev.volary.cli.UsageException;
import dev.volary.cli.chaos.ChaosOptions;
import dev.volary.cli.check.JobPreflight;
import dev.volary.cli.check.ProblemCatalogue;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.job.manifest.ManifestException;
import dev.volary.simulator.FailureModel;
import dev.volary.simulator.SimulatedJobReport;
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

/** {@code volary simulate}: runs a manifest in virtual time, judged by the simulator. */
@Command(
        name = "simulate",
        description = {
            "Runs a manifest in virtual time, with any number of daemons and failures, in one process.",
            "",
            "Blocks really compute; workers, clocks, networks and failures are simulated, and every message is judged:"
                    + " an invariant that does not hold is told with the line that shows it again."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class SimulateCommand implements Callable<Integer> {
    private static final int MOST_RUNS = 1_000_000;
    private static final Duration PACE = Duration.ofMillis(1);

    private final Style style;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The manifest.")
    private Path file = Path.of("");

    @Option(
            names = "--daemons",
            paramLabel = "N",
            description = "Daemons instead of spec.daemons.replicas; with a block for each of them at least.")
    private Optional<Integer> daemons = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of everything drawn by chance; drawn and told if not given.")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--runs", paramLabel = "M", description = "Runs with consecutive seeds. Default: ${DEFAULT-VALUE}.")
    private int runs = 1;

    @Option(
            names = "--pace",
            paramLabel = "TIME",
            description = "Least duration of an iteration, as 10ms. Default: spec.chaos.pace, or 1ms.")
    private Optional<String> pace = Optional.empty();

    @Option(
            names = "--faults",
            paramLabel = "LIST",
            description = "Faults of the network, as delay=20ms±5ms,loss=0.2,duplicate=0.05,reorder=0.1.")
    private String faults = "";

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description = "Most time that one run may compute, here and now. Default: ${DEFAULT-VALUE}.")
    private String budget = "10m";

    @Option(names = "--json", description = "One JSON object a line, for programs.")
    private boolean json;

    @ArgGroup(validate = false, heading = "%nCrashes on purpose:%n")
    private ChaosOptions chaos = new ChaosOptions();

    @ArgGroup(validate = false, heading = "%nFailures:%n")
    private FailureOptions fates = new FailureOptions();

    public SimulateCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws ManifestException, UsageException {
        ValidatedJob checked = JobPreflight.check(file, ProblemCatalogue.load());
        Duration limit = TimeOption.positive("--budget", budget);
        if (runs < 1 || runs > MOST_RUNS) {
            throw new UsageException("--runs is " + runs + ", must be from 1 to " + MOST_RUNS);
        }
        SimulationPlan simulated =
                SimulationPlan.of(checked, daemons, chaos.zones(), NetworkOptions.parse(faults), pace(checked));
        int workers = simulated.job().daemons() + simulated.job().standbys();
        LongFunction<FailureModel> fate =
                fates.fate(chaos, workers, simulated.job().spawners());
        simulated.affordable(Math.min(runs, Runtime.getRuntime().availableProcessors()), limit);
        tellNotices(simulated, checked);

        long first = seed.orElseGet(() -> new SecureRandom().nextLong() >>> 1);
        SimulationText text = new SimulationText(checked, simulated.job(), limit, again());
        PrintWriter out = spec.commandLine().getOut();
        boolean isSingle = runs == 1;
        List<SimulatedJobReport> reports = new ArrayList<>();
        LongStream.range(first, first + runs)
                .parallel()
                .mapToObj(each -> simulated.job().run(each, fate.apply(each), within(limit)))
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
                : checked.spec().chaos().paceDuration().orElse(PACE);
    }

    private void tellNotices(SimulationPlan simulated, ValidatedJob checked) {
        PrintWriter err = spec.commandLine().getErr();
        simulated.notices().forEach(notice -> err.println(style.yellow("notice: ") + notice));
        chaos.notices(checked.spec(), checked.model().timeStepping().isPresent())
                .forEach(notice -> err.println(style.yellow("notice: ") + notice));
        simulated
                .predicted()
                .filter(time -> time.compareTo(Duration.ofMinutes(1)) > 0)
                .ifPresent(time -> err.println(style.yellow("notice: ") + "each run computes for about "
                        + Units.time(time) + ", as far as can be predicted"));
    }

    /** This command line, for a seed of its own. */
    private LongFunction<String> again() {
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

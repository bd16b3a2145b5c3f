// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.chaos.ChaosOptions;
import dev.volary.cli.check.JobPreflight;
import dev.volary.cli.check.ProblemCatalogue;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.TimeOption;
import dev.volary.cli.console.UsageException;
import dev.volary.cli.display.Display;
import dev.volary.cli.local.RunSettings;
import dev.volary.cli.local.WorkerJvm;
import dev.volary.job.manifest.ManifestException;
import dev.volary.mesh.fault.NetworkFaults;
import dev.volary.mesh.job.IterationPace;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code volary run}: runs a job on this machine, with worker processes on loopback. */
@Command(
        name = "run",
        description = "Run a job on this machine, with worker processes on loopback, to a certified result.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class RunCommand implements Callable<Integer> {
    /** Sweeps that C1 makes in a few seconds, in updates. */
    private static final double MOST_SWEPT = 1e9;

    /** Work of other kinds, such as rounds of multigrid: C1 takes some 100 ns for a unit, more than three times as long as C2. */
    private static final double MOST_WORKED = 3e7;

    private final Style style;
    private final boolean isTerminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "Manifest of the job.")
    private Path file = Path.of("");

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FOLDER",
            description = "Output folder for result, picture, residuals, events and logs. Default: out/<job>.")
    private Optional<Path> output = Optional.empty();

    @Option(
            names = {"-q", "--quiet"},
            description = "Print nothing unless the job fails.")
    private boolean quiet;

    @Option(names = "--json", description = "Print one JSON object per line, for programs.")
    private boolean json;

    @Option(names = "--no-picture", description = "Do not draw result.png.")
    private boolean noPicture;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of all random choices. Default: drawn, and recorded in provenance.json.")
    private Optional<Long> seed = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Compute threads of each daemon. Default: an even share of the processors.")
    private int threads;

    @Option(
            names = "--base-port",
            paramLabel = "PORT",
            description = "First of the ports on which workers listen, two per worker. Default: any free ports.")
    private int basePort;

    @Option(
            names = "--faults",
            paramLabel = "LIST",
            description =
                    "Network faults to inject between workers, for example delay=20ms±5ms,loss=0.2,duplicate=0.05,reorder=0.1,rate=10MB/s.")
    private String faults = "";

    @Option(
            names = "--pace",
            paramLabel = "[WORKER=]TIME",
            description =
                    "Minimum duration of an iteration, of all workers or of one, for example 10ms or daemon-0=50ms."
                            + " Simulates slower machines; replaces spec.chaos.pace.")
    private String[] pace = {};

    @Option(
            names = "--halo-share",
            paramLabel = "SHARE",
            description = "Maximum share of one processor that sending halos may take from computing; 0 for no limit."
                    + " Default: ${DEFAULT-VALUE}.")
    private double haloShare = MeshConfig.DEFAULT_BULK_SHARE;

    @Option(
            names = "--checkpoint",
            paramLabel = "FOLDER",
            description =
                    "Also save the newest two snapshots in FOLDER/<job>, to restore the job from if all workers are lost.")
    private Optional<Path> checkpoints = Optional.empty();

    @Option(
            names = "--restore-from",
            paramLabel = "FOLDER",
            description =
                    "Restore the job from the newest checkpoint in FOLDER/<job>. Problem and blocks must be the same.")
    private Optional<Path> restore = Optional.empty();

    @ArgGroup(validate = false, heading = "%nFault injection:%n")
    private ChaosOptions chaos = new ChaosOptions();

    /**
     * @param isTerminal whether standard output is a terminal
     */
    public RunCommand(Style style, boolean isTerminal) {
        this.style = style;
        this.isTerminal = isTerminal;
    }

    @Override
    public Integer call()
            throws ManifestException, UsageException, IOException, GeneralSecurityException, InterruptedException {
        Instant started = Instant.now();
        ValidatedJob checked = JobPreflight.check(file, ProblemCatalogue.load());
        RunSettings settings = settings(checked);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (!quiet) {
            Stream.concat(
                            checked.notices().stream(),
                            chaos
                                    .notices(
                                            checked.spec(),
                                            checked.model().timeStepping().isPresent())
                                    .stream())
                    .forEach(notice -> err.println(style.yellow("notice: ") + notice));
        }
        Display.Mode mode = json ? Display.Mode.JSON : quiet ? Display.Mode.QUIET : Display.Mode.AUTOMATIC;
        try (OutputLock _ = OutputLock.take(settings.output(), checked)) {
            LocalRun run = new LocalRun(
                    checked,
                    settings,
                    WorkerJvm.installed(length(checked, settings)),
                    Display.choose(mode, isTerminal, style, out, err),
                    started,
                    !noPicture);
            return run.run().code();
        }
    }

    private RunSettings settings(ValidatedJob checked) throws UsageException {
        if (threads < 0) {
            throw new UsageException("--threads is " + threads + ", must be 0 or more; remove it for an even share");
        }
        if (basePort != 0 && (basePort < 1024 || basePort > 65_000)) {
            throw new UsageException(
                    "--base-port is " + basePort + ", must be from 1024 to 65000; remove it for free ports");
        }
        if (!(haloShare >= 0 && haloShare <= 1)) {
            throw new UsageException("--halo-share is " + haloShare + ", must be from 0 to 1");
        }
        try {
            NetworkFaults.parse(faults);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--faults: " + wrong.getMessage());
        }
        return new RunSettings(
                output.orElseGet(() -> Path.of("out", checked.name())),
                seed.orElseGet(() -> new SecureRandom().nextLong() >>> 1),
                basePort,
                faults,
                paces(),
                threads,
                haloShare,
                chaos.zones(),
                chaos.plan(checked.spec()),
                checkpoints,
                restore);
    }

    private Map<String, Duration> paces() throws UsageException {
        Map<String, Duration> paces = new HashMap<>();
        for (String entry : pace) {
            int equals = entry.indexOf('=');
            paces.put(
                    equals < 0 ? IterationPace.ALL_WORKERS : entry.substring(0, equals),
                    TimeOption.parse("--pace", entry.substring(equals + 1)));
        }
        return paces;
    }

    /** Estimates the length from the updates that are predicted, unless the job also waits. */
    private static WorkerJvm.Length length(ValidatedJob checked, RunSettings settings) {
        int steps = checked.model().timeStepping().map(TimeStepping::steps).orElse(1);
        double iterations = steps * checked.predictedIterations().orElse(1e4);
        // what is predicted without a pre-flight check is no number of sweeps
        boolean isWork =
                checked.preflight().isEmpty() && checked.predictedIterations().isPresent();
        boolean isLarge = isWork
                ? iterations * work(checked) > MOST_WORKED
                : iterations * checked.model().unknowns().size() > MOST_SWEPT;
        if (isLarge) {
            return WorkerJvm.Length.LARGE;
        }
        boolean isPaced = !settings.pace().isEmpty() || checked.spec().chaos().pace() != null;
        boolean hasFaults = settings.chaos().isPresent() || !settings.faults().isEmpty();
        boolean hasTimeSteps = checked.model().timeStepping().isPresent();
        return isPaced || hasFaults || hasTimeSteps ? WorkerJvm.Length.LASTING : WorkerJvm.Length.BRIEF;
    }

    private static double work(ValidatedJob checked) {
        return checked.decomposition().parts().stream()
                .mapToDouble(Subdomain::work)
                .sum();
    }
}

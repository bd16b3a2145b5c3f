// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.command;

import dev.volary.cli.check.ClusterCheck;
import dev.volary.cli.check.JobPreflight;
import dev.volary.cli.check.ProblemCatalogue;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.Table;
import dev.volary.cli.console.Units;
import dev.volary.job.manifest.ManifestError;
import dev.volary.job.manifest.ManifestException;
import dev.volary.job.spec.ConvergenceSpec;
import dev.volary.solver.Model;
import dev.volary.solver.Preflight;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code volary validate}: checks whether a job can be started, and prints every error. */
@Command(
        name = "validate",
        description = "Check a manifest, its problem and its files without starting a process.",
        mixinStandardHelpOptions = true)
public final class ValidateCommand implements Callable<Integer> {
    private final Style style;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--local",
            description =
                    "Check for `volary run` only: skip the check that spawners on a cluster have memory for the result.")
    private boolean isLocal;

    @Parameters(paramLabel = "FILE", description = "Manifest of the job.")
    private Path file = Path.of("");

    public ValidateCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws ManifestException {
        ValidatedJob checked = JobPreflight.check(file, ProblemCatalogue.load());
        Optional<ManifestError> onCluster = isLocal ? Optional.empty() : ClusterCheck.error(checked);
        if (onCluster.isPresent()) {
            throw new ManifestException(List.of(onCluster.get()));
        }
        PrintWriter out = spec.commandLine().getOut();
        checked.notices().forEach(n -> spec.commandLine().getErr().println(style.yellow("notice: ") + n));
        out.println(style.green("valid: ") + file);
        Table table = new Table("CHECK", "RESULT");
        Model model = checked.model();
        table.row("job", checked.name() + ", " + checked.spec().scheme());
        table.row("problem", checked.problem().name());
        checked.method().ifPresent(method -> table.row("method", method));
        table.row(
                "unknowns",
                model.unknowns()
                        + (model.unknowns().axes() > 1
                                ? " = " + model.unknowns().size()
                                : ""));
        table.row(
                "blocks",
                checked.decomposition().blocks() + " on "
                        + checked.spec().daemons().replicas() + " daemons");
        table.row("tolerance", tolerance(checked));
        table.row(
                "pre-flight",
                checked.preflight().map(p -> preflight(p, checked)).orElse(unchecked(checked)));
        table.lines(style).forEach(out::println);
        return ExitCode.CERTIFIED.code();
    }

    private static String unchecked(ValidatedJob checked) {
        OptionalDouble iterations = checked.predictedIterations();
        return iterations.isPresent()
                ? "none: about " + Units.count(iterations.getAsDouble()) + " iterations to the tolerance, by experience"
                : "none: this problem has no pre-flight check";
    }

    private static String tolerance(ValidatedJob checked) {
        ConvergenceSpec convergence = checked.spec().convergence();
        return String.format(
                Locale.ROOT,
                "%s %s, %s ≤ %s (scale %.6g); attainable %s",
                convergence.norm().name().toLowerCase(Locale.ROOT),
                convergence.tolerance(),
                checked.model().residualNorm().symbol(),
                Units.small(checked.tolerance().absolute()),
                checked.model().scale(),
                Units.small(
                        convergence.norm() == ConvergenceSpec.Norm.Relative
                                ? checked.model().attainableFloor()
                                : checked.model().attainableFloor()
                                        * checked.model().scale()));
    }

    private static String preflight(Preflight known, ValidatedJob checked) {
        String bounds = Double.isInfinite(known.upper())
                ? "no bound of ρ(|T|) is known"
                : String.format(Locale.ROOT, "ρ(|T|) from %.8g to %.8g", known.lower(), known.upper());
        return switch (known.verdict()) {
            case CERTIFIED ->
                known.upper() < Preflight.BELOW_ONE
                        ? bounds + ": converges under every schedule, in about "
                                + Units.count(known.predictedIterations(
                                        checked.tolerance().relative())) + " sweeps or fewer"
                        : "ρ(|T|) < 1: converges under every schedule; the rate is not known";
            case UNDECIDED -> bounds + ": not decided";
            case REFUTED -> bounds + ": some asynchronous schedules diverge";
        };
    }
}

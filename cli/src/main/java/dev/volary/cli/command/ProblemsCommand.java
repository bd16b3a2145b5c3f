// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.command;

import dev.volary.cli.check.ProblemCatalogue;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.JsonText;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.Table;
import dev.volary.cli.console.UsageException;
import dev.volary.job.manifest.NearestName;
import dev.volary.solver.Parameter;
import dev.volary.solver.Problem;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code volary problems}: lists the problems that can be solved, and the parameters of each. */
@Command(
        name = "problems",
        description = "List the problems, or show the parameters of one.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class ProblemsCommand implements Callable<Integer> {
    private final Style style;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", arity = "0..1", description = "Name of the problem whose parameters are shown.")
    private Optional<String> name = Optional.empty();

    @Option(names = "--json", description = "Print the parameters as a JSON schema.")
    private boolean json;

    public ProblemsCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws UsageException {
        ProblemCatalogue catalogue = ProblemCatalogue.load();
        PrintWriter out = spec.commandLine().getOut();
        if (name.isPresent()) {
            Problem problem = find(catalogue, name.get());
            if (json) {
                out.println(JsonText.pretty(ProblemSchema.of(problem)));
            } else {
                describe(problem, out);
            }
        } else if (json) {
            Map<String, Object> all = new LinkedHashMap<>();
            catalogue.all().forEach(problem -> all.put(problem.name(), ProblemSchema.of(problem)));
            out.println(JsonText.pretty(all));
        } else {
            list(catalogue.all(), out);
        }
        return ExitCode.CERTIFIED.code();
    }

    private void list(List<Problem> problems, PrintWriter out) {
        Table table = new Table("PROBLEM", "DESCRIPTION");
        problems.forEach(problem -> table.row(problem.name(), problem.summary()));
        table.lines(style).forEach(out::println);
        out.println();
        out.println("volary problems NAME shows the parameters of a problem.");
    }

    private void describe(Problem problem, PrintWriter out) {
        out.println(style.bold(problem.name()) + ": " + problem.summary());
        out.println();
        if (problem.parameters().isEmpty()) {
            out.println("This problem has no parameters.");
            return;
        }
        Table table = new Table("PARAMETER", "VALUE", "DEFAULT", "MEANING");
        for (Parameter<?> parameter : problem.parameters()) {
            String standard = parameter
                    .defaultValue()
                    .map(Object::toString)
                    .orElse(parameter.required() ? "(required)" : "(none)");
            table.row(parameter.name(), parameter.domain(), standard, parameter.documentation());
        }
        table.lines(style).forEach(out::println);
    }

    private static Problem find(ProblemCatalogue catalogue, String name) throws UsageException {
        Optional<Problem> problem = catalogue.find(name);
        if (problem.isEmpty()) {
            throw new UsageException(
                    "there is no problem named " + name + "; " + NearestName.remedy(name, catalogue.names()));
        }
        return problem.get();
    }
}

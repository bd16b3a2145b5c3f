// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.cluster.client.ClusterClient;
import dev.volary.cli.cluster.client.JobArgument;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.JsonText;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.IterativeJob;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code volary status}: prints the status of a job, as the operator wrote it. */
@Command(
        name = "status",
        description = "Show the status of a job on a cluster.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class StatusCommand implements Callable<Integer> {
    /** Output formats for programs. */
    enum Form {
        json,
        yaml
    }

    private final Style style;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "Output format for programs: ${COMPLETION-CANDIDATES}.")
    private Optional<Form> form = Optional.empty();

    @Mixin
    private JobArgument named = new JobArgument();

    public StatusCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws UsageException, IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (ClusterClient cluster = named.connect()) {
            IterativeJob job = named.in(cluster);
            if (form.isEmpty()) {
                StatusText.lines(job, style, Instant.now()).forEach(out::println);
            } else {
                out.println(
                        switch (form.get()) {
                            case json -> json(StatusText.tree(job));
                            case yaml ->
                                Serialization.asYaml(StatusText.tree(job)).stripTrailing();
                        });
            }
        }
        return ExitCode.CERTIFIED.code();
    }

    /** Formats the tree with line breaks, unlike the writer of the Kubernetes client. */
    private static String json(Object tree) {
        return JsonText.pretty(Serialization.unmarshal(Serialization.asJson(tree), Map.class));
    }
}

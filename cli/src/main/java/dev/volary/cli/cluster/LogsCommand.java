// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.cluster.client.ClusterClient;
import dev.volary.cli.cluster.client.JobArgument;
import dev.volary.cli.cluster.client.PodRole;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.IterativeJob;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code volary logs}: prints the logs of all pods of a job, with the pod's name before each line. */
@Command(
        name = "logs",
        description = "Show the logs of a job's pods, with the pod's name before each line.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class LogsCommand implements Callable<Integer> {
    private final Style style;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-f", "--follow"},
            description = "Keep printing new lines, also those of new pods, until the job has ended.")
    private boolean follow;

    @Option(names = "--role", paramLabel = "ROLE", description = "Only pods of this role: ${COMPLETION-CANDIDATES}.")
    private Optional<PodRole> role = Optional.empty();

    @Option(names = "--tail", paramLabel = "N", description = "Only the last N lines of each pod.")
    private Optional<Integer> tail = Optional.empty();

    @Mixin
    private JobArgument named = new JobArgument();

    public LogsCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws UsageException, IOException, InterruptedException {
        if (tail.isPresent() && tail.get() < 0) {
            throw new UsageException("--tail is " + tail.get() + ", must be 0 or more");
        }
        try (ClusterClient cluster = named.connect()) {
            IterativeJob job = named.in(cluster);
            PodLogs logs = new PodLogs(
                    cluster, tail, new PrefixedLines(spec.commandLine().getOut(), style), this::notice);
            if (follow) {
                logs.follow(job, role);
            } else {
                List<Pod> pods = cluster.pods(job, role);
                if (pods.isEmpty()) {
                    throw new UsageException("job " + named.name() + " has no "
                            + role.map(one -> one.name() + " pods").orElse("pods")
                            + "; spec.podRetention decides which pods remain after the job has ended");
                }
                pods.forEach(logs::print);
            }
        }
        return ExitCode.CERTIFIED.code();
    }

    private void notice(String text) {
        spec.commandLine().getErr().println(style.yellow("notice: ") + text);
    }
}

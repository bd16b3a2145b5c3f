// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.cluster.client.BlockMap;
import dev.volary.cli.cluster.client.ClusterClient;
import dev.volary.cli.cluster.client.JobArgument;
import dev.volary.cli.cluster.client.SpawnerConnections;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.Table;
import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.mesh.v1.StatusReply;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code volary describe}: prints the status and history of a job, its blocks, and where their backups are. */
@Command(
        name = "describe",
        description = {
            "Show a job on a cluster: its history, which daemon serves each block, and where its backups are.",
            "The block map comes from the spawners and requires the rights to read secret volary-<job>-ca and to forward ports."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class DescribeCommand implements Callable<Integer> {
    private final Style style;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JobArgument named = new JobArgument();

    public DescribeCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws UsageException, IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (ClusterClient cluster = named.connect()) {
            IterativeJob job = named.in(cluster);
            StatusText.lines(job, style, Instant.now()).forEach(out::println);
            history(StatusText.status(job).stateTransitions(), out);
            try (SpawnerConnections spawners = SpawnerConnections.of(cluster, job)) {
                Map<String, StatusReply> replies = spawners.status(this::notice);
                if (!replies.isEmpty()) {
                    out.println();
                    BlockMapText.lines(BlockMap.of(replies), style).forEach(out::println);
                }
            } catch (UsageException noMap) {
                notice("no block map: " + noMap.getMessage());
            }
        }
        return ExitCode.CERTIFIED.code();
    }

    private void history(List<JobStatus.Transition> transitions, PrintWriter out) {
        if (transitions.isEmpty()) {
            return;
        }
        Table table = new Table("PHASE", "SINCE", "REASON", "MESSAGE");
        transitions.forEach(t -> table.row(
                t.phase().name(),
                t.time(),
                t.reason(),
                Optional.ofNullable(t.message()).orElse("")));
        out.println();
        table.lines(style).forEach(out::println);
    }

    private void notice(String text) {
        spec.commandLine().getErr().println(style.yellow("notice: ") + text);
    }
}

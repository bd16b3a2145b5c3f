// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.cluster.client.ClusterClient;
import dev.volary.cli.cluster.client.JobArgument;
import dev.volary.cli.cluster.client.SpawnerConnections;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.IterativeJob;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code volary kill}: ends workers as a crash would, if the job allows it. */
@Command(
        name = "kill",
        description = {
            "End workers of a job without warning, as a crash would. The job must allow it (spec.chaos.allowed: true).",
            "Requires the rights to read secret volary-<job>-ca and to forward ports."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class KillCommand implements Callable<Integer> {
    /** Selects the workers; exactly one of these options is given. */
    static final class Targets {
        @Option(names = "--daemons", paramLabel = "N", description = "Kill N randomly chosen daemons.")
        private int daemons;

        @Option(names = "--spawner", description = "Kill the leader, or any spawner if there is no leader.")
        private boolean spawner;

        @Option(names = "--pod", paramLabel = "NAME", description = "Kill the worker in this pod; may be repeated.")
        private List<String> pods = List.of();
    }

    private final Style style;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1", heading = "Workers to kill, one of:%n")
    private Targets targets = new Targets();

    @Mixin
    private JobArgument named = new JobArgument();

    public KillCommand(Style style) {
        this.style = style;
    }

    @Override
    public Integer call() throws UsageException, IOException {
        try (ClusterClient cluster = named.connect()) {
            IterativeJob job = named.in(cluster);
            if (!job.getSpec().chaos().allowed()) {
                throw new UsageException(
                        "job " + named.name()
                                + " does not allow it: spec.chaos.allowed is false and cannot be changed; create a job with true");
            }
            List<Pod> running = cluster.pods(job, Optional.empty()).stream()
                    .filter(ClusterClient::isRunning)
                    .toList();
            try (SpawnerConnections spawners = SpawnerConnections.of(cluster, job)) {
                return kill(chosen(running, spawners.pods()), spawners);
            }
        }
    }

    private Set<String> chosen(List<Pod> running, List<String> spawners) throws UsageException {
        if (targets.spawner) {
            return Set.of(spawners.getFirst());
        }
        List<String> names = running.stream().map(ClusterClient::podName).toList();
        if (!targets.pods.isEmpty()) {
            for (String pod : targets.pods) {
                if (!names.contains(pod)) {
                    throw new UsageException("--pod is " + pod + ", which is not a running worker of job "
                            + named.name() + "; its running workers: " + String.join(", ", names));
                }
            }
            return new LinkedHashSet<>(targets.pods);
        }
        List<String> daemons = new ArrayList<>(names);
        daemons.removeAll(spawners);
        if (targets.daemons < 1 || targets.daemons > daemons.size()) {
            throw new UsageException("--daemons is " + targets.daemons + ", must be from 1 to " + daemons.size()
                    + ", the number of running daemons of job " + named.name());
        }
        Collections.shuffle(daemons, new SecureRandom());
        return new LinkedHashSet<>(daemons.subList(0, targets.daemons));
    }

    /**
     * Asks the spawners in turn, since each knows only its own group and the other spawners; asks spawners that are targets
     * last.
     */
    private int kill(Set<String> wanted, SpawnerConnections spawners) {
        List<String> left = new ArrayList<>(wanted);
        List<String> reasons = new ArrayList<>();
        List<String> order = new ArrayList<>(spawners.pods());
        order.removeAll(wanted);
        spawners.pods().stream().filter(wanted::contains).forEach(order::add);
        for (String pod : order) {
            if (left.isEmpty()) {
                break;
            }
            try {
                List<String> killed = spawners.to(pod).kill(left).getKilledList();
                killed.forEach(one -> spec.commandLine().getOut().println(one + ": killed through " + pod));
                left.removeAll(killed);
            } catch (IOException e) {
                reasons.add(spawners.failure(pod, e));
            }
        }
        if (left.isEmpty()) {
            return ExitCode.CERTIFIED.code();
        }
        spec.commandLine()
                .getErr()
                .println(style.red("error: ") + "not killed: " + String.join(", ", left) + "; "
                        + (reasons.isEmpty() ? "no spawner can reach them" : String.join("; ", reasons)));
        return ExitCode.FAILED.code();
    }
}

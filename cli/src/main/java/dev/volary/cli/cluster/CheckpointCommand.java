// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.cluster.client.ClusterClient;
import dev.volary.cli.cluster.client.JobArgument;
import dev.volary.cli.console.ExitCode;
import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.job.resource.Phase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code volary checkpoint}: requests a snapshot with an annotation and waits until the operator has answered. */
@Command(
        name = "checkpoint",
        description = "Take a snapshot of a running job and wait until it is complete.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class CheckpointCommand implements Callable<Integer> {
    private static final String REFUSED = "CheckpointRefused";
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    /** The operator publishes its events after it has written the status. */
    private static final int EVENT_ATTEMPTS = 6;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Maximum time to wait. Default: ${DEFAULT-VALUE}.",
            defaultValue = "150")
    private long timeoutSeconds;

    @Mixin
    private JobArgument named = new JobArgument();

    @Override
    public Integer call() throws UsageException, IOException, InterruptedException {
        try (ClusterClient cluster = named.connect()) {
            IterativeJob job = named.in(cluster);
            if (StatusText.phase(job) != Phase.Running) {
                throw new UsageException("job " + named.name() + " is " + StatusText.phase(job)
                        + "; only a Running job can take a snapshot, see `volary status " + named.name() + "`");
            }
            Set<String> oldRefusals = cluster.events(named.name(), REFUSED).keySet();
            String last = StatusText.status(job).lastCheckpointTime();
            String request = Instant.now().truncatedTo(ChronoUnit.SECONDS) + "-"
                    + UUID.randomUUID().toString().substring(0, 8);
            cluster.change(
                    named.name(),
                    "{\"metadata\":{\"annotations\":{\"" + IterativeJob.CHECKPOINT_REQUEST + "\":\"" + request
                            + "\"}}}");
            JobStatus answered = await(cluster, request);
            if (Objects.equals(last, answered.lastCheckpointTime())) {
                throw new IOException("no snapshot was taken: " + refusal(cluster, oldRefusals));
            }
            spec.commandLine().getOut().println(named.name() + ": snapshot taken at " + answered.lastCheckpointTime());
        }
        return ExitCode.CERTIFIED.code();
    }

    private JobStatus await(ClusterClient cluster, String request)
            throws UsageException, IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(timeoutSeconds).toNanos();
        while (true) {
            IterativeJob job = named.in(cluster);
            JobStatus status = StatusText.status(job);
            if (request.equals(status.checkpointRequest())) {
                return status;
            }
            if (StatusText.phase(job).isFinal()) {
                throw new IOException(
                        "job " + named.name() + " is " + StatusText.phase(job) + " before the snapshot was taken");
            }
            if (System.nanoTime() > end) {
                throw new IOException("no answer within " + timeoutSeconds
                        + " s (--timeout); the request remains. Check `volary status " + named.name()
                        + "` and whether the operator runs");
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    private String refusal(ClusterClient cluster, Set<String> old) throws InterruptedException {
        for (int attempt = 0; attempt < EVENT_ATTEMPTS; attempt++) {
            Map<String, String> refusals = cluster.events(named.name(), REFUSED);
            refusals.keySet().removeAll(old);
            if (!refusals.isEmpty()) {
                return String.join("; ", refusals.values());
            }
            Thread.sleep(POLL_INTERVAL);
        }
        return "its spawners refused it; `kubectl describe ij " + named.name() + "` may show the reason";
    }
}

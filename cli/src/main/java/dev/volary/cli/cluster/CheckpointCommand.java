// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.ExitCode;
import dev.volary.cli.UsageException;
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

/** {@code volary checkpoint}: asks for a snapshot by an annotation, and waits until the operator has answered. */
@Command(
        name = "checkpoint",
        description = "Has a running job take a snapshot now, and waits for it.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class CheckpointCommand implements Callable<Integer> {
    private static final String REFUSED = "CheckpointRefused";
    private static final Duration PACE = Duration.ofMillis(500);
    /** The operator tells its events after it has written the status. */
    private static final int LOOKS_FOR_EVENT = 6;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "How long to wait; ${DEFAULT-VALUE} if not given.",
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
                        + "; only a Running one can take a snapshot, see `volary status " + named.name() + "`");
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
                        + " s (--timeout); the request stands, see `volary status " + named.name()
                        + "`, and whether the operator runs");
            }
            Thread.sleep(PACE);
        }
    }

    private String refusal(ClusterClient cluster, Set<String> old) throws InterruptedException {
        for (int look = 0; look < LOOKS_FOR_EVENT; look++) {
            Map<String, String> refusals = cluster.events(named.name(), REFUSED);
            refusals.keySet().removeAll(old);
            if (!refusals.isEmpty()) {
                return String.join("; ", refusals.values());
            }
            Thread.sleep(PACE);
        }
        return "its spawners refused; `kubectl describe ij " + named.name() + "` may say why";
    }
}

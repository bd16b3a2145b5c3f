// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.operator.simulated.SimulatedJob;
import dev.volary.operator.simulated.SimulatedWorkers;
import dev.volary.operator.simulated.VirtualTime;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SimulatedReplies;
import dev.volary.operator.spawner.SpawnerClients;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Calls simulated spawners: a call takes time, and each spawner answers those alone that have an identity of its own job. */
final class SimulatedSpawnerClients implements SpawnerClients {
    private static final Duration DEADLINE = Duration.ofSeconds(3);

    private final VirtualTime time;
    private final SimulatedWorkers workers;
    private final JobCertificates certificates;
    private final Random random;
    private final boolean isTrusting;
    private final SimulatedOperator.Observer observer;

    /**
     * @param isTrusting whether all workers trust each other, as if they had one authority: only the UID in a reply says then
     *     whose it is
     */
    SimulatedSpawnerClients(
            VirtualTime time,
            SimulatedWorkers workers,
            JobCertificates certificates,
            Random random,
            boolean isTrusting,
            SimulatedOperator.Observer observer) {
        this.time = time;
        this.workers = workers;
        this.certificates = certificates;
        this.random = random;
        this.isTrusting = isTrusting;
        this.observer = observer;
    }

    @Override
    public Optional<JobReport> report(IterativeJob job, List<At> at) throws IOException {
        String authority = authority(job);
        Map<At, StatusReply> replies = new LinkedHashMap<>();
        for (At spawner : at) {
            Optional<StatusReply> reply = workers.ask(spawner.pod(), spawner.address(), isTrusting ? "" : authority);
            time.pass(reply.isPresent() ? Duration.ofMillis(2 + random.nextInt(60)) : DEADLINE);
            reply.ifPresent(given -> replies.put(spawner, given));
        }
        return SimulatedReplies.merge(job, replies);
    }

    private String authority(IterativeJob job) throws IOException {
        observer.began(job);
        try {
            return Base64.getEncoder()
                    .encodeToString(certificates.of(job).certificatePem().getBytes(StandardCharsets.US_ASCII));
        } finally {
            observer.ended();
        }
    }

    @Override
    public void hint(IterativeJob job, List<At> at, String pod, Hint hint) throws IOException {
        time.pass(Duration.ofMillis(5));
        for (At spawner : at) {
            if (!spawner.pod().equals(pod)
                    && workers.ask(spawner.pod(), spawner.address(), "").isEmpty()) {
                throw new IOException(spawner.pod() + " does not answer");
            }
        }
    }

    @Override
    public Checkpoint checkpoint(IterativeJob job, List<At> at) {
        time.pass(Duration.ofSeconds(1 + random.nextInt(6)));
        SimulatedJob truth = workers.job(job.getMetadata().getUid());
        boolean answers = at.stream()
                .anyMatch(each -> workers.ask(each.pod(), each.address(), "").isPresent());
        return truth != null && answers && random.nextInt(5) > 0 && truth.checkpoint()
                ? new Checkpoint(true, "snapshot 1, residual 1.000e-03, on the volume")
                : new Checkpoint(false, "no spawner answers");
    }

    @Override
    public void forget(String uid) {
        // no connection is kept
    }

    @Override
    public void close() {
        // no connection is kept
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Spawners that say what a test wants, and fail when it wants. */
final class FakeSpawnerClients implements SpawnerClients {
    private final Map<String, JobReport> reports = new ConcurrentHashMap<>();
    private final Map<String, JobReport> reportsAt = new ConcurrentHashMap<>();
    final Queue<RuntimeException> checkpointFailing = new ConcurrentLinkedQueue<>();
    final Queue<String> hints = new ConcurrentLinkedQueue<>();
    final AtomicInteger checkpoints = new AtomicInteger();
    volatile Checkpoint checkpoint = new Checkpoint(true, "snapshot 1");
    /** What the next polls fail with, each once; the same for hints and checkpoints. */
    final Queue<Throwable> failing = new ConcurrentLinkedQueue<>();

    final Queue<Throwable> hintsFailing = new ConcurrentLinkedQueue<>();

    final AtomicInteger polls = new AtomicInteger();

    void say(String job, JobReport report) {
        reports.put(job, report);
    }

    /** Only a spawner at this address says it. */
    void sayAt(String address, JobReport report) {
        reportsAt.put(address, report);
    }

    @Override
    public Optional<JobReport> report(IterativeJob job, List<At> at) throws IOException {
        polls.incrementAndGet();
        fail(failing);
        return at.stream()
                .map(spawner -> reportsAt.get(spawner.address()))
                .filter(Objects::nonNull)
                .findFirst()
                .or(() -> Optional.ofNullable(reports.get(job.getMetadata().getName())));
    }

    @Override
    public void hint(IterativeJob job, List<At> at, String pod, Hint hint) throws IOException {
        fail(hintsFailing);
        hints.add(pod + " " + hint);
    }

    @Override
    public Checkpoint checkpoint(IterativeJob job, List<At> at) {
        checkpoints.incrementAndGet();
        RuntimeException failure = checkpointFailing.poll();
        if (failure != null) {
            throw failure;
        }
        return checkpoint;
    }

    private static void fail(Queue<Throwable> failures) throws IOException {
        switch (failures.poll()) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    @Override
    public void forget(String uid) {}

    @Override
    public void close() {}
}

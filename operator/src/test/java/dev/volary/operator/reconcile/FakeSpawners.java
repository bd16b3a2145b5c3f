package dev.volary.operator.reconcile;

import dev.volary.crd.api.IterativeJob;
import dev.volary.operator.spawner.Report;
import dev.volary.operator.spawner.Spawners;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Spawners that say what a test wants. */
final class FakeSpawners implements Spawners {
    private final Map<String, Report> reports = new ConcurrentHashMap<>();
    final Queue<String> hints = new ConcurrentLinkedQueue<>();
    final AtomicInteger checkpoints = new AtomicInteger();
    volatile Checkpoint checkpoint = new Checkpoint(true, "snapshot 1");

    void say(String job, Report report) {
        reports.put(job, report);
    }

    @Override
    public Optional<Report> report(IterativeJob job, List<At> at) {
        return Optional.ofNullable(reports.get(job.getMetadata().getName()));
    }

    @Override
    public void hint(IterativeJob job, List<At> at, String pod, Hint hint) {
        hints.add(pod + " " + hint);
    }

    @Override
    public Checkpoint checkpoint(IterativeJob job, List<At> at) {
        checkpoints.incrementAndGet();
        return checkpoint;
    }

    @Override
    public void forget(String uid) {}

    @Override
    public void close() {}
}

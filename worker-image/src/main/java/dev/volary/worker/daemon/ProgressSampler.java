// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.worker.compute.BlockRunner;
import dev.volary.worker.runtime.HostChannel;
import dev.volary.worker.runtime.StageTracer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Samples the progress of a daemon's blocks and reports it to the machine and the host. Samples every fiftieth of the time since
 * the start, within bounds.
 */
final class ProgressSampler implements AutoCloseable {
    private static final Duration FIRST_PERIOD = Duration.ofMillis(100);
    private static final Duration LAST_PERIOD = Duration.ofMillis(500);

    private final Collection<BlockRunner> runners;
    private final BlockBackups backups;
    private final BackupScheduler backupScheduler;
    private final DaemonEventAdapter events;
    private final HostChannel host;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("timer").factory());

    /**
     * @param runners of all blocks; may change at any time
     */
    ProgressSampler(
            Collection<BlockRunner> runners,
            BlockBackups backups,
            BackupScheduler backupScheduler,
            DaemonEventAdapter events,
            HostChannel host) {
        this.runners = runners;
        this.backups = backups;
        this.backupScheduler = backupScheduler;
        this.events = events;
        this.host = host;
    }

    void start() {
        scheduleNext(System.nanoTime());
    }

    /** Samples outside the period. */
    void sampleSoon() {
        try {
            timer.execute(this::sample);
        } catch (RejectedExecutionException closed) {
            // The worker is ending: no report is due.
        }
    }

    private void scheduleNext(long start) {
        long period = Math.clamp((System.nanoTime() - start) / 50, FIRST_PERIOD.toNanos(), LAST_PERIOD.toNanos());
        var unusedUntilClose = timer.schedule(
                () -> {
                    sample();
                    scheduleNext(start);
                },
                period,
                TimeUnit.NANOSECONDS);
    }

    private void sample() {
        if (runners.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        List<BlockProgress> blocks = new ArrayList<>();
        Set<Integer> waiting = new HashSet<>();
        runners.forEach(runner -> {
            blocks.add(runner.progress(now, backups.holders(runner.id())));
            if (runner.isWaiting()) {
                waiting.add(runner.id());
            }
        });
        if (StageTracer.isOn()) {
            StageTracer.mark(
                    "sample",
                    StageTracer.cpuNanos(),
                    blocks.stream().mapToLong(BlockProgress::iteration).sum());
            StageTracer.mark("reaches", backups.reachableHolders());
        }
        backupScheduler
                .sampled(blocks, backups.reachableHolders(), backups.lostHolders(), now)
                .ifPresent(every -> {
                    StageTracer.mark("paced", every);
                    events.offer(new DaemonEvent.BackupIntervalChanged(every));
                });
        backups.jobEndsSoon(backupScheduler.endsWithoutBackup(now));
        events.offer(new DaemonEvent.ProgressSampled(blocks, waiting));
        host.sampled(blocks);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

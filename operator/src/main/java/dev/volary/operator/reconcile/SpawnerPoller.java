// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Polls the spawners of each job for their reports: once a second while the reports change, with growing intervals of up to 10
 * s while they do not. A changed report triggers a reconciliation. A failed call is retried and shown in the status. Calls run
 * concurrently with reconciliations; their number is limited.
 */
final class SpawnerPoller extends AbstractEventSource<JobReport, IterativeJob> {
    private static final Logger LOG = Logger.getLogger(SpawnerPoller.class.getName());
    static final Duration LONGEST = Intervals.STANDARD.longestPoll();
    private static final Duration MAX_HINT_RETRY = Duration.ofSeconds(30);
    private static final int MAX_CALLS = 64;

    private final Map<String, PolledJob> jobs = new ConcurrentHashMap<>();
    private final Semaphore permits = new Semaphore(MAX_CALLS);
    private final ScheduledExecutorService clock;
    private final ExecutorService calls;
    private final SpawnerClients spawners;
    private final Clock time;
    private final Intervals intervals;
    private final Duration checkpointRetry;

    SpawnerPoller(SpawnerClients spawners, Clock time, Intervals intervals) {
        this(spawners, time, intervals, MAX_HINT_RETRY);
    }

    /** @param checkpointRetry time after which a failed checkpoint request is retried */
    SpawnerPoller(SpawnerClients spawners, Clock time, Intervals intervals, Duration checkpointRetry) {
        this(
                spawners,
                time,
                intervals,
                checkpointRetry,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().name("poll-clock").daemon().factory()),
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("poll-", 0).factory()));
    }

    /**
     * As the others, with executors of its own.
     *
     * @param clock starts the calls when they are due
     * @param calls runs them; each may block
     */
    SpawnerPoller(
            SpawnerClients spawners,
            Clock time,
            Intervals intervals,
            Duration checkpointRetry,
            ScheduledExecutorService clock,
            ExecutorService calls) {
        super(JobReport.class, "spawners");
        this.clock = clock;
        this.calls = calls;
        this.spawners = spawners;
        this.time = time;
        this.intervals = intervals;
        this.checkpointRetry = checkpointRetry;
    }

    @Override
    public Set<JobReport> getSecondaryResources(IterativeJob job) {
        PolledJob polled = jobs.get(job.getMetadata().getUid());
        return polled == null ? Set.of() : polled.cache.report().map(Set::of).orElse(Set.of());
    }

    /** Polls a job at these addresses from now on; stops polling it if there are none. */
    void schedule(IterativeJob job, JobCache cache, List<SpawnerClients.At> at) {
        String uid = job.getMetadata().getUid();
        if (at.isEmpty()) {
            drop(uid);
            cache.polled(Optional.empty(), time.instant());
            return;
        }
        PolledJob known = jobs.get(uid);
        if (known == null) {
            PolledJob polled = new PolledJob(job, cache, at, intervals.shortestPoll());
            jobs.put(uid, polled);
            next(polled);
        } else {
            known.job = job;
            if (!known.at.equals(at)) {
                known.at = at;
                known.pause = intervals.shortestPoll();
            }
        }
    }

    /** Sends a hint to all spawners. Retries while the job is polled and a spawner has not received the hint. */
    void hint(IterativeJob job, List<SpawnerClients.At> at, String pod, SpawnerClients.Hint hint) {
        hint(job, at, pod, hint, intervals.shortestPoll());
    }

    private void hint(
            IterativeJob job, List<SpawnerClients.At> at, String pod, SpawnerClients.Hint hint, Duration pause) {
        run("hint that " + pod + " is " + hint, () -> {
            try {
                spawners.hint(job, at, pod, hint);
            } catch (IOException | RuntimeException | Error e) {
                LOG.log(Level.FINE, e, () -> "hint that " + pod + " is " + hint + " is sent again");
                var _ = later(
                        () -> {
                            PolledJob polled = jobs.get(job.getMetadata().getUid());
                            if (polled != null) {
                                Duration doubled = pause.multipliedBy(2);
                                hint(
                                        polled.job,
                                        polled.at,
                                        pod,
                                        hint,
                                        doubled.compareTo(MAX_HINT_RETRY) > 0 ? MAX_HINT_RETRY : doubled);
                            }
                        },
                        pause);
            }
        });
    }

    /**
     * Requests a snapshot. The answer is stored in the cache and triggers a reconciliation. A negative answer is removed after
     * a while, so that the request is repeated if it still stands.
     */
    void checkpoint(IterativeJob job, JobCache cache, List<SpawnerClients.At> at, String request) {
        run("checkpoint of " + job.getMetadata().getName(), () -> {
            SpawnerClients.Checkpoint answer;
            try {
                answer = spawners.checkpoint(job, at);
            } catch (RuntimeException | Error e) {
                LOG.log(
                        Level.WARNING,
                        e,
                        () -> "checkpoint of " + job.getMetadata().getName() + " failed");
                answer = new SpawnerClients.Checkpoint(
                        false, "the operator cannot reach the spawners: " + FailedAttempts.cause(e));
            }
            cache.checkpoints.put(request, answer);
            if (!answer.taken()) {
                var _ = later(
                        () -> {
                            cache.checkpoints.remove(request);
                            cache.requested.remove(request);
                            wake(job);
                        },
                        checkpointRetry);
            }
            wake(job);
        });
    }

    /** Forgets a deleted job. */
    void forget(String uid) {
        drop(uid);
        run("forgetting job " + uid, () -> spawners.forget(uid));
    }

    @Override
    public void stop() {
        super.stop();
        clock.shutdownNow();
        calls.shutdownNow();
    }

    private void drop(String uid) {
        PolledJob polled = jobs.remove(uid);
        Future<?> timer = polled == null ? null : polled.timer;
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private void next(PolledJob polled) {
        String what = "poll of " + polled.job.getMetadata().getName();
        polled.timer = later(() -> run(what, () -> poll(polled)), polled.pause);
    }

    private boolean isCurrent(PolledJob polled) {
        return jobs.get(polled.job.getMetadata().getUid()) == polled;
    }

    /** Polls once and schedules the next poll, even after a failure. */
    private void poll(PolledJob polled) {
        if (!isCurrent(polled)) {
            return;
        }
        try {
            Optional<JobReport> report = spawners.report(polled.job, polled.at);
            if (isCurrent(polled)) { // otherwise the job has no spawners any more
                answered(polled, report);
            }
        } catch (IOException | RuntimeException | Error e) {
            LOG.log(
                    Level.WARNING,
                    e,
                    () -> "poll of " + polled.job.getMetadata().getName() + " failed");
            failed(polled, e);
        } finally {
            next(polled);
        }
    }

    private void answered(PolledJob polled, Optional<JobReport> report) {
        boolean isNew =
                !polled.cache.hasPolled() || polled.cache.isPollFailing() || !report.equals(polled.cache.report());
        polled.cache.polled(report, time.instant());
        polled.pause = isNew ? intervals.shortestPoll() : longer(polled.pause);
        if (isNew) {
            wake(polled.job);
        }
    }

    private void failed(PolledJob polled, Throwable e) {
        polled.pause = longer(polled.pause);
        if (isCurrent(polled) && polled.cache.pollFailed(FailedAttempts.poll(e))) {
            wake(polled.job);
        }
    }

    private Duration longer(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(intervals.longestPoll()) > 0 ? intervals.longestPoll() : doubled;
    }

    private void wake(IterativeJob job) {
        getEventHandler().handleEvent(new Event(ResourceID.fromResource(job)));
    }

    private @Nullable Future<?> later(Runnable call, Duration pause) {
        try {
            return clock.schedule(call, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopped) {
            return null; // the operator is stopping
        }
    }

    private void run(String what, Runnable call) {
        try {
            calls.execute(() -> {
                permits.acquireUninterruptibly();
                try {
                    call.run();
                } catch (RuntimeException | Error e) {
                    LOG.log(Level.WARNING, e, () -> what + " failed");
                } finally {
                    permits.release();
                }
            });
        } catch (RejectedExecutionException stopped) {
            // the operator is stopping
        }
    }

    /** A job that is polled. */
    private static final class PolledJob {
        private final JobCache cache;
        private volatile IterativeJob job;
        private volatile List<SpawnerClients.At> at;
        private volatile Duration pause;
        private volatile @Nullable Future<?> timer;

        PolledJob(IterativeJob job, JobCache cache, List<SpawnerClients.At> at, Duration pause) {
            this.job = job;
            this.cache = cache;
            this.at = at;
            this.pause = pause;
        }
    }
}

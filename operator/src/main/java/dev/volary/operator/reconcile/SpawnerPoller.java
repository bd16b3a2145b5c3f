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
 * Asks the spawners of each job how it fares: once a second while the answers change, more and more seldom while they do not.
 * A new answer starts a reconciliation. A call that fails is made again, and shows in the status. Calls run beside reconciliations, a bounded number at once.
 */
final class SpawnerPoller extends AbstractEventSource<JobReport, IterativeJob> {
    private static final Logger LOG = Logger.getLogger(SpawnerPoller.class.getName());
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration ASK_AGAIN = Duration.ofSeconds(30);
    private static final int AT_ONCE = 64;

    private final Map<String, Watched> jobs = new ConcurrentHashMap<>();
    private final Semaphore room = new Semaphore(AT_ONCE);
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("poll-clock").daemon().factory());
    private final ExecutorService calls = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("poll-", 0).factory());
    private final SpawnerClients spawners;
    private final Clock time;
    private final Duration askAgain;

    SpawnerPoller(SpawnerClients spawners, Clock time) {
        this(spawners, time, ASK_AGAIN);
    }

    /** @param askAgain how long a refused checkpoint is remembered */
    SpawnerPoller(SpawnerClients spawners, Clock time, Duration askAgain) {
        super(JobReport.class, "spawners");
        this.spawners = spawners;
        this.time = time;
        this.askAgain = askAgain;
    }

    @Override
    public Set<JobReport> getSecondaryResources(IterativeJob job) {
        Watched watched = jobs.get(job.getMetadata().getUid());
        return watched == null ? Set.of() : watched.memory.report().map(Set::of).orElse(Set.of());
    }

    /** Polls a job at these addresses from now on; with none it is not polled. */
    void watch(IterativeJob job, JobCache memory, List<SpawnerClients.At> at) {
        String uid = job.getMetadata().getUid();
        if (at.isEmpty()) {
            drop(uid);
            memory.answered(Optional.empty(), time.instant());
            return;
        }
        Watched known = jobs.get(uid);
        if (known == null) {
            Watched watched = new Watched(job, memory, at);
            jobs.put(uid, watched);
            next(watched);
        } else {
            known.job = job;
            if (!known.at.equals(at)) {
                known.at = at;
                known.pause = SHORTEST;
            }
        }
    }

    /** Passes a hint on, soon; again and again as long as the job is polled and not every spawner knows it. */
    void hint(IterativeJob job, List<SpawnerClients.At> at, String pod, SpawnerClients.Hint hint) {
        hint(job, at, pod, hint, SHORTEST);
    }

    private void hint(
            IterativeJob job, List<SpawnerClients.At> at, String pod, SpawnerClients.Hint hint, Duration pause) {
        run("hint that " + pod + " is " + hint, () -> {
            try {
                spawners.hint(job, at, pod, hint);
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.FINE, e, () -> "hint that " + pod + " is " + hint + " is passed on again");
                var _ = later(
                        () -> {
                            Watched watched = jobs.get(job.getMetadata().getUid());
                            if (watched != null) {
                                Duration doubled = pause.multipliedBy(2);
                                hint(
                                        watched.job,
                                        watched.at,
                                        pod,
                                        hint,
                                        doubled.compareTo(ASK_AGAIN) > 0 ? ASK_AGAIN : doubled);
                            }
                        },
                        pause);
            }
        });
    }

    /**
     * Has a snapshot taken; the answer is put into the memory and starts a reconciliation. A refusal is forgotten after a while,
     * so that what is still wanted is asked for again.
     */
    void checkpoint(IterativeJob job, JobCache memory, List<SpawnerClients.At> at, String request) {
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
                        false, "the operator cannot ask the spawners: " + FailedAttempts.cause(e));
            }
            memory.checkpoints.put(request, answer);
            if (!answer.taken()) {
                var _ = later(
                        () -> {
                            memory.checkpoints.remove(request);
                            memory.requested.remove(request);
                            wake(job);
                        },
                        askAgain);
            }
            wake(job);
        });
    }

    /** Forgets a job that is no more. */
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
        Watched watched = jobs.remove(uid);
        Future<?> timer = watched == null ? null : watched.timer;
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private void next(Watched watched) {
        String what = "poll of " + watched.job.getMetadata().getName();
        watched.timer = later(() -> run(what, () -> poll(watched)), watched.pause);
    }

    private boolean isCurrent(Watched watched) {
        return jobs.get(watched.job.getMetadata().getUid()) == watched;
    }

    /** Whatever a poll ends in, the next one is scheduled. */
    private void poll(Watched watched) {
        if (!isCurrent(watched)) {
            return;
        }
        try {
            Optional<JobReport> report = spawners.report(watched.job, watched.at);
            if (isCurrent(watched)) { // else the job has no spawners any more
                answered(watched, report);
            }
        } catch (IOException | RuntimeException | Error e) {
            LOG.log(
                    Level.WARNING,
                    e,
                    () -> "poll of " + watched.job.getMetadata().getName() + " failed");
            failed(watched, e);
        } finally {
            next(watched);
        }
    }

    private void answered(Watched watched, Optional<JobReport> report) {
        boolean isNew =
                !watched.memory.hasAsked() || watched.memory.isPollFailing() || !report.equals(watched.memory.report());
        watched.memory.answered(report, time.instant());
        watched.pause = isNew ? SHORTEST : longer(watched.pause);
        if (isNew) {
            wake(watched.job);
        }
    }

    private void failed(Watched watched, Throwable e) {
        watched.pause = longer(watched.pause);
        if (isCurrent(watched) && watched.memory.pollFailed(FailedAttempts.poll(e))) {
            wake(watched.job);
        }
    }

    private static Duration longer(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    }

    private void wake(IterativeJob job) {
        getEventHandler().handleEvent(new Event(ResourceID.fromResource(job)));
    }

    private @Nullable Future<?> later(Runnable call, Duration pause) {
        try {
            return clock.schedule(call, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopped) {
            return null; // the operator ends
        }
    }

    private void run(String what, Runnable call) {
        try {
            calls.execute(() -> {
                room.acquireUninterruptibly();
                try {
                    call.run();
                } catch (RuntimeException | Error e) {
                    LOG.log(Level.WARNING, e, () -> what + " failed");
                } finally {
                    room.release();
                }
            });
        } catch (RejectedExecutionException stopped) {
            // The operator ends.
        }
    }

    /** A job that is polled. */
    private static final class Watched {
        private final JobCache memory;
        private volatile IterativeJob job;
        private volatile List<SpawnerClients.At> at;
        private volatile Duration pause = SHORTEST;
        private volatile @Nullable Future<?> timer;

        Watched(IterativeJob job, JobCache memory, List<SpawnerClients.At> at) {
            this.job = job;
            this.memory = memory;
            this.at = at;
        }
    }
}

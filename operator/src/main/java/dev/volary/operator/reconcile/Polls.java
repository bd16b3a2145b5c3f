package dev.volary.operator.reconcile;

import dev.volary.crd.api.IterativeJob;
import dev.volary.operator.spawner.Report;
import dev.volary.operator.spawner.Spawners;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
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
import org.jspecify.annotations.Nullable;

/**
 * Asks the spawners of each job how it fares: once a second while the answers change, more and more seldom while they do not.
 * A new answer starts a reconciliation. Calls run beside reconciliations, a bounded number at once.
 */
final class Polls extends AbstractEventSource<Report, IterativeJob> {
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
    private final Spawners spawners;
    private final Clock time;

    Polls(Spawners spawners, Clock time) {
        super(Report.class, "spawners");
        this.spawners = spawners;
        this.time = time;
    }

    @Override
    public Set<Report> getSecondaryResources(IterativeJob job) {
        Watched watched = jobs.get(job.getMetadata().getUid());
        return watched == null ? Set.of() : watched.memory.report().map(Set::of).orElse(Set.of());
    }

    /** Polls a job at these addresses from now on; with none it is not polled. */
    void watch(IterativeJob job, JobMemory memory, List<Spawners.At> at) {
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

    /** Passes a hint on, soon. */
    void hint(IterativeJob job, List<Spawners.At> at, String pod, Spawners.Hint hint) {
        run(() -> spawners.hint(job, at, pod, hint));
    }

    /**
     * Has a snapshot taken; the answer is put into the memory and starts a reconciliation. A refusal is forgotten after a while,
     * so that what is still wanted is asked for again.
     */
    void checkpoint(IterativeJob job, JobMemory memory, List<Spawners.At> at, String request) {
        run(() -> {
            Spawners.Checkpoint answer = spawners.checkpoint(job, at);
            memory.checkpoints.put(request, answer);
            if (!answer.taken()) {
                memory.timer = clock.schedule(
                        () -> {
                            memory.checkpoints.remove(request);
                            memory.requested.remove(request);
                            wake(job);
                        },
                        ASK_AGAIN.toMillis(),
                        TimeUnit.MILLISECONDS);
            }
            wake(job);
        });
    }

    /** Forgets a job that is no more. */
    void forget(String uid) {
        drop(uid);
        run(() -> spawners.forget(uid));
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
        try {
            watched.timer =
                    clock.schedule(() -> run(() -> poll(watched)), watched.pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopped) {
            // The operator ends.
        }
    }

    private void poll(Watched watched) {
        if (jobs.get(watched.job.getMetadata().getUid()) != watched) {
            return;
        }
        Optional<Report> report = spawners.report(watched.job, watched.at);
        boolean isNew = !watched.memory.hasAsked() || !report.equals(watched.memory.report());
        watched.memory.answered(report, time.instant());
        if (isNew) {
            watched.pause = SHORTEST;
            wake(watched.job);
        } else {
            Duration doubled = watched.pause.multipliedBy(2);
            watched.pause = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        }
        next(watched);
    }

    private void wake(IterativeJob job) {
        getEventHandler().handleEvent(new Event(ResourceID.fromResource(job)));
    }

    private void run(Runnable call) {
        try {
            calls.execute(() -> {
                room.acquireUninterruptibly();
                try {
                    call.run();
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
        private final JobMemory memory;
        private volatile IterativeJob job;
        private volatile List<Spawners.At> at;
        private volatile Duration pause = SHORTEST;
        private volatile @Nullable Future<?> timer;

        Watched(IterativeJob job, JobMemory memory, List<Spawners.At> at) {
            this.job = job;
            this.memory = memory;
            this.at = at;
        }
    }
}

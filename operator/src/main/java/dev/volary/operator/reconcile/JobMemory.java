package dev.volary.operator.reconcile;

import dev.volary.crd.api.IterativeJob;
import dev.volary.operator.spawner.Report;
import dev.volary.operator.spawner.Spawners;
import dev.volary.operator.step.Refusal;
import dev.volary.operator.step.Seen;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * What one operator process remembers of a job to spare the API server; losing it costs a few reads. Used by the one thread that
 * reconciles the job, but for what the polls write.
 */
final class JobMemory {
    /** First serials that were surely not used yet; after a start of the operator those that were never reserved. */
    long nextDaemon;

    long nextSpawner;
    /** What the job's objects were made from, and until when they are taken to be in place. */
    String ensured = "";

    Instant ensuredUntil = Instant.MIN;
    /** When the status was written last. */
    Instant patched = Instant.MIN;
    /** Pods whose identities are in the secret. */
    @Nullable Set<String> identities;

    Optional<Refusal> refusal = Optional.empty();
    Instant retryPods = Instant.MIN;
    /** Pods of which the spawners were told, with what. */
    final Set<String> hinted = new HashSet<>();

    final Set<String> deleted = new HashSet<>();

    private @Nullable Long checked;
    private List<String> faults = List.of();

    // Written by polls.
    volatile Optional<Report> report = Optional.empty();
    /** Whether the spawners were asked since this operator knows of the job, or there are none to ask. */
    volatile boolean asked;

    final ConcurrentHashMap<String, Spawners.Checkpoint> checkpoints = new ConcurrentHashMap<>();
    final Set<String> requested = ConcurrentHashMap.newKeySet();
    volatile @Nullable Future<?> timer;

    JobMemory(long nextDaemon, long nextSpawner) {
        this.nextDaemon = nextDaemon;
        this.nextSpawner = nextSpawner;
    }

    /** What is wrong with the spec; looked at once for each generation. */
    List<String> faults(IterativeJob job) {
        if (!Objects.equals(job.getMetadata().getGeneration(), checked)) {
            faults = SpecCheck.faults(job);
            checked = job.getMetadata().getGeneration();
        }
        return faults;
    }

    /** Whether the worker in this pod may be alive, whatever the API says of its node. */
    boolean hears(String pod) {
        return !asked || report.filter(r -> r.hears(pod)).isPresent();
    }

    Seen.Unused unused() {
        return new Seen.Unused(nextDaemon, nextSpawner);
    }
}

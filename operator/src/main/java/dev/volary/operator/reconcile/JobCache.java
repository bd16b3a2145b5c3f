// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.operator.pod.NodeState;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import dev.volary.operator.step.FailedAttempt;
import dev.volary.operator.step.JobObservation;
import dev.volary.operator.step.PodRejection;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What one operator process remembers of a job to spare the API server; losing it costs a few reads. Used by the one thread that
 * reconciles the job, but for what the polls write.
 */
final class JobCache {
    /**
     * So long a worker counts as alive after the last report that named it. A single report may miss it: it changes its group, or
     * its spawner answers too late, which happens just when an API server that was away takes nodes for silent.
     * Longer than from one poll to the next.
     */
    static final Duration HEARD = SpawnerPoller.LONGEST.multipliedBy(2);

    private static final Duration NAMES_SHORTEST = Duration.ofSeconds(2);
    private static final Duration NAMES_LONGEST = Duration.ofSeconds(30);

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

    /** Why the newest pod could not be created. */
    Optional<PodRejection> refusal = Optional.empty();

    Instant retryPods = Instant.MIN;
    /** Whether a pod of another owner had the name of one that was to be created. */
    boolean namesUsedUp;
    /** Which names are taken by objects of other owners. */
    Optional<PodRejection> taken = Optional.empty();

    Instant retryNames = Instant.MIN;
    private Duration namesPause = NAMES_SHORTEST;

    /** The job as it was read or written last. */
    @Nullable IterativeJob newest;
    /** Passes in a row that ended because the job, or one of its objects, was changed meanwhile. */
    int conflicts;

    private Optional<FailedAttempt> passFailure = Optional.empty();
    private boolean passed;
    /** Pods of which the spawners were told, with what. */
    final Set<String> hinted = new HashSet<>();

    final Set<String> deleted = new HashSet<>();

    private @Nullable Long checked;
    private List<String> faults = List.of();

    // Written by polls.
    private volatile Optional<FailedAttempt> pollFailure = Optional.empty();
    private volatile Optional<JobReport> report = Optional.empty();
    /** When the spawners had been asked for the first time since this operator knows of the job, or there were none to ask. */
    private volatile @Nullable Instant asked;

    /** When a report named a pod last. */
    private final Map<String, Instant> named = new ConcurrentHashMap<>();

    final ConcurrentHashMap<String, SpawnerClients.Checkpoint> checkpoints = new ConcurrentHashMap<>();
    final Set<String> requested = ConcurrentHashMap.newKeySet();

    JobCache(long nextDaemon, long nextSpawner) {
        this.nextDaemon = nextDaemon;
        this.nextSpawner = nextSpawner;
    }

    /** What is wrong with the spec; looked at once for each generation. */
    List<String> faults(IterativeJob job) {
        if (!Objects.equals(job.getMetadata().getGeneration(), checked)) {
            faults = ClusterValidator.errors(job);
            checked = job.getMetadata().getGeneration();
        }
        return faults;
    }

    /** What the spawners said when they were asked last; empty if none answered. */
    Optional<JobReport> report() {
        return report;
    }

    /** Whether there has been an answer, or nobody to ask. */
    boolean hasAsked() {
        return asked != null;
    }

    /** What is in the way of creating objects. */
    Optional<PodRejection> refusal() {
        return taken.or(() -> refusal);
    }

    /** Names are taken; when it is tried again comes later each time, up to a limit. */
    void namesAreTaken(PodRejection by, Instant now) {
        taken = Optional.of(by);
        retryNames = now.plus(namesPause);
        Duration doubled = namesPause.multipliedBy(2);
        namesPause = doubled.compareTo(NAMES_LONGEST) > 0 ? NAMES_LONGEST : doubled;
    }

    /** All names that the job needs are its own. */
    void namesAreOurs() {
        taken = Optional.empty();
        retryNames = Instant.MIN;
        namesPause = NAMES_SHORTEST;
    }

    /** The newest attempt that failed, if no newer one of its kind has worked. */
    Optional<FailedAttempt> failure() {
        return passFailure.or(() -> pollFailure);
    }

    /** Whether this operator has completed a pass over the job and a poll of its spawners, or there are none to ask. */
    boolean works() {
        return passed && hasAsked();
    }

    /** A pass has failed. The first of several alike stays: the status is not written again for the others. */
    void passFailed(FailedAttempt attempt) {
        passFailure = passFailure.filter(attempt::isLike).or(() -> Optional.of(attempt));
    }

    /** A pass has worked. */
    void passWorked() {
        passFailure = Optional.empty();
        passed = true;
        conflicts = 0;
    }

    /** A poll has failed; returns whether that is news. */
    boolean pollFailed(FailedAttempt attempt) {
        boolean known = pollFailure.filter(attempt::isLike).isPresent();
        if (!known) {
            pollFailure = Optional.of(attempt);
        }
        return !known;
    }

    /** Whether the newest poll has failed. */
    boolean isPollFailing() {
        return pollFailure.isPresent();
    }

    /** The spawners were asked. */
    void answered(Optional<JobReport> answer, Instant now) {
        pollFailure = Optional.empty();
        named.values().removeIf(at -> isLongAgo(at, now));
        answer.ifPresent(report -> report.heard().forEach(pod -> named.put(pod, now)));
        if (asked == null) {
            asked = now;
        }
        report = answer;
    }

    /** Whether the worker in this pod may be alive, whatever the API says of its node. */
    boolean hears(String pod, Instant now) {
        Instant since = asked;
        return since == null || !isLongAgo(named.getOrDefault(pod, since), now);
    }

    /** How long it takes until a worker on a silent node counts as silent too, if no report names it any more. */
    Optional<Duration> nextSilence(List<ObservedPod> pods, Instant now) {
        Instant since = asked;
        return since == null
                ? Optional.empty()
                : pods.stream()
                        .filter(pod -> pod.heard() && pod.node() == NodeState.NOT_READY)
                        .map(pod -> named.getOrDefault(pod.name(), since))
                        .map(at -> Duration.between(now, at.plus(HEARD)))
                        .map(wait -> wait.isPositive() ? wait : Duration.ZERO) // a poll may have forgotten it meanwhile
                        .map(wait -> wait.plusMillis(1))
                        .min(Comparator.naturalOrder());
    }

    private static boolean isLongAgo(Instant named, Instant now) {
        return !named.plus(HEARD).isAfter(now);
    }

    JobObservation.FreeSerials unused() {
        return new JobObservation.FreeSerials(nextDaemon, nextSpawner);
    }
}

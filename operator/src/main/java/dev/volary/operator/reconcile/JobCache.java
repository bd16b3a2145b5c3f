// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.JobStatus;
import dev.volary.operator.plan.FailedAttempt;
import dev.volary.operator.plan.JobObservation;
import dev.volary.operator.plan.OperatorAction;
import dev.volary.operator.plan.PodHistory;
import dev.volary.operator.plan.PodRejection;
import dev.volary.operator.pod.NodeState;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.spawner.SpawnerClients;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an operator process remembers of a job to save requests; losing it costs a few reads. Confined to the thread that
 * reconciles the job, except for the fields that polls write.
 */
final class JobCache {
    /**
     * How long a worker counts as alive after the last report that named it. Longer than the interval between polls, since a
     * single report may miss it: it changes its group, or its spawner answers late. That is likely just when an API server was
     * unavailable and considers nodes lost.
     */
    static final Duration ALIVE = SpawnerPoller.LONGEST.multipliedBy(2);

    /** Clocks are corrected by less than this all the time. */
    private static final Duration SMALL_STEP = Duration.ofSeconds(1);

    private static final Duration MIN_NAMES_RETRY = Duration.ofSeconds(2);
    private static final Duration MAX_NAMES_RETRY = Duration.ofSeconds(30);

    /** Serials of earlier processes whose Secrets are checked in one go. */
    private static final int CHECKED_SERIALS = 32;

    /** First serials that are certainly unused; after a start of the operator, the first that were never reserved. */
    long nextDaemon;

    long nextSpawner;
    /** What the objects of the job were built from, and until when they are assumed to exist. */
    String ensured = "";

    Instant ensuredUntil = Instant.MIN;
    /** When the status was written last. */
    Instant patched = Instant.MIN;
    /** Pods that may have a Secret with their identity. */
    final Set<PodName> identities = new TreeSet<>();

    /** See {@link PodHistory}. */
    private final Set<PodName> seenPods = new HashSet<>();

    private final Set<PodName> followedPods = new HashSet<>();
    private boolean hasHistory;

    /** When to reissue the identities that this process has issued or read. */
    final Map<PodName, Instant> renewals = new HashMap<>();

    /** Why the latest pod could not be created. */
    Optional<PodRejection> rejection = Optional.empty();

    Instant retryPods = Instant.MIN;
    /** Whether another pod had the name of a pod to create. */
    boolean hasUsedNames;
    /** Names taken by objects of other owners. */
    Optional<PodRejection> taken = Optional.empty();

    Instant retryNames = Instant.MIN;
    private Duration namesRetry = MIN_NAMES_RETRY;

    /** The job as it was read or written last. */
    @Nullable IterativeJob newest;
    /** Since when all reconciliations have failed because the job or one of its objects had changed. */
    private @Nullable Instant conflicts;

    private Optional<FailedAttempt> passFailure = Optional.empty();
    private boolean passed;
    /** Hints that were sent to the spawners, by pod. */
    final Set<String> hinted = new HashSet<>();

    /** When pods were deleted and stopped, by UID. */
    final Map<String, Instant> deleted = new HashMap<>();

    final Map<String, Instant> stopped = new HashMap<>();
    /** Whether it was published that the time to live of the job has expired. */
    boolean hasExpired;
    /** Whether the Lease of the job, which is suspended, names no leader. */
    boolean isLeaderCleared;
    /** Pods whose Secrets were deleted, or are absent, and when to check that once more. */
    final Map<PodName, Instant> absent = new HashMap<>();
    /** The latest write of a status that failed: the API server may have executed it. */
    @Nullable FailedWrite failedWrite;

    /** Of the latest reconciliation. */
    private Instant newestTime = Instant.MIN;

    private @Nullable Long checked;
    private List<String> errors = List.of();
    private List<String> warnings = List.of();

    // written by polls
    private volatile Optional<FailedAttempt> pollFailure = Optional.empty();
    private volatile Optional<JobReport> report = Optional.empty();
    /** When the first poll of this operator completed, or was unnecessary because there were no spawners. */
    private volatile @Nullable Instant firstPoll;

    /** Time of the last report that named a pod. */
    private final Map<String, Instant> lastReported = new ConcurrentHashMap<>();

    final ConcurrentHashMap<String, SpawnerClients.Checkpoint> checkpoints = new ConcurrentHashMap<>();
    final Set<String> requested = ConcurrentHashMap.newKeySet();

    /** Pods that earlier processes may have created, and of which the Secrets are not checked yet. */
    private final Deque<PodRange> earlier = new ArrayDeque<>();

    private Instant nextCheckOfEarlier = Instant.MAX;
    /** Which Secrets are checked, and when. */
    final SecretChecks secrets = new SecretChecks();

    /** @param first of the serials of a role that are not checked yet */
    private record PodRange(PodRole role, long first, long end) {}

    JobCache(long nextDaemon, long nextSpawner) {
        this.nextDaemon = nextDaemon;
        this.nextSpawner = nextSpawner;
        earlier.add(new PodRange(PodRole.DAEMON, 0, nextDaemon));
        earlier.add(new PodRange(PodRole.SPAWNER, 0, nextSpawner));
    }

    /**
     * Adds pods of earlier processes to those that may have a Secret: a pod that ended while no operator ran may have left one.
     * Some at a time, after {@code interval}, since a job may have had thousands of pods.
     */
    void checkEarlierPods(Instant now, Duration interval) {
        if (nextCheckOfEarlier.equals(Instant.MAX)) {
            nextCheckOfEarlier = now.plus(interval);
        }
        PodRange range = now.isBefore(nextCheckOfEarlier) ? null : earlier.poll();
        if (range == null) {
            return;
        }
        long end = Math.min(range.end(), range.first() + CHECKED_SERIALS);
        for (long serial = range.first(); serial < end; serial++) {
            identities.add(new PodName(range.role(), serial));
        }
        if (end < range.end()) {
            earlier.addFirst(new PodRange(range.role(), end, range.end()));
            nextCheckOfEarlier = now.plus(interval);
        }
    }

    /** Remembers that a pod's Secret holds an identity that is to be reissued at {@code renewal}. */
    void issued(PodName pod, Instant renewal) {
        identities.add(pod);
        absent.remove(pod);
        renewals.put(pod, renewal);
    }

    /**
     * Returns what was seen before, and remembers what is seen now.
     *
     * @param tracked pods that the status tracks
     */
    PodHistory history(Set<PodName> tracked, List<ObservedPod> pods) {
        List<PodName> observed = pods.stream().map(ObservedPod::pod).toList();
        if (!hasHistory) {
            hasHistory = true;
            seenPods.addAll(tracked);
        }
        seenPods.addAll(observed);
        Set<PodName> current = new HashSet<>(tracked);
        current.addAll(observed);
        seenPods.retainAll(current);
        followedPods.retainAll(current);
        followedPods.addAll(tracked);
        return new PodHistory(seenPods, followedPods);
    }

    /** Pods whose loss a plan counts: if one turns out to live, it is tracked again. */
    void counted(Set<PodName> pods) {
        followedPods.removeAll(pods);
    }

    /**
     * Checks the spec, once per generation.
     *
     * @param claims finds a claim of the job's namespace by its name
     */
    void check(IterativeJob job, Function<String, Optional<PersistentVolumeClaim>> claims) {
        if (Objects.equals(job.getMetadata().getGeneration(), checked)) {
            return;
        }
        ClaimCheck ofClaims = ClaimCheck.of(job.getSpec(), claims);
        errors = Stream.concat(ClusterValidator.errors(job).stream(), ofClaims.errors().stream())
                .toList();
        warnings = ofClaims.warnings();
        checked = job.getMetadata().getGeneration();
    }

    /** Errors of the spec. */
    List<String> errors() {
        return errors;
    }

    /** What may keep pods of this spec from running. */
    List<String> warnings() {
        return warnings;
    }

    /** The latest report of the spawners; empty if none answered. */
    Optional<JobReport> report() {
        return report;
    }

    /** Whether a poll has completed, or there was no spawner to poll. */
    boolean hasPolled() {
        return firstPoll != null;
    }

    /**
     * Takes the time of a reconciliation. If the clock was set back, forgets until when to wait and when something was done: these
     * times are in the future now, perhaps by hours.
     */
    void reconciledAt(Instant now) {
        if (now.plus(SMALL_STEP).isBefore(newestTime)) {
            ensuredUntil = Instant.MIN;
            patched = Instant.MIN;
            retryPods = Instant.MIN;
            retryNames = Instant.MIN;
            conflicts = null;
            deleted.clear();
            stopped.clear();
            absent.clear();
            nextCheckOfEarlier = Instant.MAX;
            secrets.forgetTime();
            lastReported.replaceAll((pod, at) -> at.isAfter(now) ? now : at);
            Instant first = firstPoll;
            firstPoll = first != null && first.isAfter(now) ? now : first;
        }
        newestTime = now;
    }

    /** Why objects cannot be created. */
    Optional<PodRejection> rejection() {
        return taken.or(() -> rejection);
    }

    /** Remembers that names are taken, and doubles the time to the next attempt up to a limit. */
    void namesTaken(PodRejection reason, Instant now) {
        taken = Optional.of(reason);
        retryNames = now.plus(namesRetry);
        Duration doubled = namesRetry.multipliedBy(2);
        namesRetry = doubled.compareTo(MAX_NAMES_RETRY) > 0 ? MAX_NAMES_RETRY : doubled;
    }

    /** Remembers that no name is taken. */
    void namesFree() {
        taken = Optional.empty();
        retryNames = Instant.MIN;
        namesRetry = MIN_NAMES_RETRY;
    }

    /** The latest failed attempt, unless a later one of its kind succeeded. */
    Optional<FailedAttempt> failure() {
        return passFailure.or(() -> pollFailure);
    }

    /** Whether this operator has completed a reconciliation of the job and a poll of its spawners. */
    boolean hasReconciled() {
        return passed && hasPolled();
    }

    /**
     * Remembers a failed reconciliation. Keeps the first of several similar failures, so that the status is not written again.
     */
    void passFailed(FailedAttempt attempt) {
        passFailure = passFailure.filter(attempt::isLike).or(() -> Optional.of(attempt));
    }

    /** Remembers a conflict; returns whether conflicts have lasted for {@code limit}. */
    boolean conflictsLast(Duration limit, Instant now) {
        Instant since = conflicts == null ? now : conflicts;
        conflicts = since;
        return !now.isBefore(since.plus(limit));
    }

    /** Remembers a successful reconciliation. */
    void passSucceeded() {
        passFailure = Optional.empty();
        passed = true;
        conflicts = null;
    }

    /** Remembers a failed poll; returns whether the failure is new. */
    boolean pollFailed(FailedAttempt attempt) {
        boolean known = pollFailure.filter(attempt::isLike).isPresent();
        if (!known) {
            pollFailure = Optional.of(attempt);
        }
        return !known;
    }

    /** Whether the latest poll failed. */
    boolean isPollFailing() {
        return pollFailure.isPresent();
    }

    /** Remembers the answer of a poll; empty if no spawner answered or there was none to poll. */
    void polled(Optional<JobReport> answer, Instant now) {
        pollFailure = Optional.empty();
        lastReported.values().removeIf(at -> isLongAgo(at, now));
        answer.ifPresent(report -> report.alive().forEach(pod -> lastReported.put(pod, now)));
        if (firstPoll == null) {
            firstPoll = now;
        }
        report = answer;
    }

    /** Whether the worker in this pod may be alive, whatever the state of its node. */
    boolean mayBeAlive(String pod, Instant now) {
        Instant since = firstPoll;
        return since == null || !isLongAgo(lastReported.getOrDefault(pod, since), now);
    }

    /** Time until the first worker on a node that is not ready stops counting as alive, if no report names it. */
    Optional<Duration> nextSilence(List<ObservedPod> pods, Instant now) {
        Instant since = firstPoll;
        return since == null
                ? Optional.empty()
                : pods.stream()
                        .filter(pod -> pod.alive() && pod.node() == NodeState.NOT_READY)
                        .map(pod -> lastReported.getOrDefault(pod.name(), since))
                        .map(at -> Duration.between(now, at.plus(ALIVE)))
                        .map(wait -> wait.isPositive() ? wait : Duration.ZERO) // a poll may have removed it meanwhile
                        .map(wait -> wait.plusMillis(1))
                        .min(Comparator.naturalOrder());
    }

    /**
     * A write of a status that failed.
     *
     * @param status the status that was to be written
     * @param actions what was to be executed then
     */
    record FailedWrite(JobStatus status, List<OperatorAction> actions) {
        FailedWrite {
            actions = List.copyOf(actions);
        }
    }

    private static boolean isLongAgo(Instant reported, Instant now) {
        return !reported.plus(ALIVE).isAfter(now);
    }

    JobObservation.FreeSerials unused() {
        return new JobObservation.FreeSerials(nextDaemon, nextSpawner);
    }
}

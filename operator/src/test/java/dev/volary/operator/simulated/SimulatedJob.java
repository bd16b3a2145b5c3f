// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import dev.volary.mesh.v1.Certified;
import dev.volary.mesh.v1.Member;
import dev.volary.mesh.v1.Outcome;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.WorkerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The workers of one job, by its UID, as a small model: the job forms, computes for a time, has a result that at most two spawners
 * hold, and a client fetches it. Knows the truth that reports, which may be late, do not show.
 */
public final class SimulatedJob {
    private static final double RESIDUAL = 5e-7;
    private static final int COPIES = 2;
    private static final int MARKS = 100;

    /**
     * What a job computes.
     *
     * @param computing time that all blocks together iterate
     * @param untilFetched time from the result to the download of it; negative for never
     */
    public record Workload(Duration computing, Duration untilFetched) {}

    private final VirtualTime time;
    private final String uid;
    private final int mark;
    private final Workload workload;
    private final Map<String, SimulatedProcess> members = new TreeMap<>();
    private final Set<String> holders = new TreeSet<>();
    private Duration computed = Duration.ZERO;
    private Duration saved = Duration.ZERO;
    private boolean isComputing;
    private @Nullable Instant computingSince;
    private @Nullable Instant certifiedAt;
    private boolean wasCertified;
    private boolean isFetched;
    private final Map<String, Integer> crashes = new TreeMap<>();
    private final Set<String> failed = new TreeSet<>();
    private int ends;
    private String leader = "";
    private long term;
    private Instant answeringSince = Instant.MAX;

    SimulatedJob(VirtualTime time, String uid, int mark, Workload workload) {
        this.time = time;
        this.uid = uid;
        this.mark = mark;
        this.workload = workload;
    }

    /** The UID of the job. */
    public String uid() {
        return uid;
    }

    /** Whether a number of iterations was reported by workers of this job: its last digits are those of this job alone. */
    public boolean hasReported(long iterations) {
        return iterations % MARKS == mark;
    }

    /**
     * The most failures that may be counted: exits of containers of pods that have failed. Of exits that follow each other quickly
     * a pod shows the last one only.
     */
    public int failures() {
        return failed.stream().mapToInt(crashes::get).sum();
    }

    /** Exits of workers so far, for any reason. */
    public int ends() {
        return ends;
    }

    /** Whether the job has, or had, a result. */
    public boolean wasCertified() {
        return wasCertified;
    }

    /** Whether a client has the result. */
    public boolean isFetched() {
        return isFetched;
    }

    /** Whether a checkpoint is durable. */
    public boolean isSaved() {
        return saved.isPositive();
    }

    /** Whether a worker holds the result. */
    public boolean isHeld() {
        return !holders.isEmpty();
    }

    /** Whether only this pod and another one hold the result. */
    public boolean isHeldBy(String podUid) {
        return certifiedAt != null && !isFetched && holders.contains(podUid);
    }

    /** For how long all spawners have answered while the job had a result, or blocks iterated. */
    public Duration known() {
        Instant since = certifiedAt != null ? certifiedAt : computingSince;
        if (since == null || answeringSince.equals(Instant.MAX)) {
            return Duration.ZERO;
        }
        Instant start = since.isAfter(answeringSince) ? since : answeringSince;
        return Duration.between(start, time.now());
    }

    /** Whether blocks iterate. */
    public boolean isComputing() {
        return isComputing;
    }

    void joined(SimulatedProcess process) {
        members.put(process.podUid(), process);
    }

    void left(String podUid, boolean isForGood) {
        SimulatedProcess member = members.remove(podUid);
        if (member != null) {
            ends++;
        }
        if (isForGood) {
            holders.remove(podUid);
        }
    }

    void crashed(String podUid, int code, String reason) {
        crashes.merge(podUid, 1, Integer::sum);
        if (code == 1 || code == 3 || reason.equals("OOMKilled")) {
            failed.add(podUid);
        }
    }

    private List<SimulatedProcess> living(boolean isSpawner) {
        return members.values().stream()
                .filter(p -> p.isAlive() && !p.isCutOff() && p.isSpawner() == isSpawner)
                .sorted(Comparator.comparingInt(SimulatedProcess::serial))
                .toList();
    }

    void pass(Duration tick) {
        List<SimulatedProcess> spawners = living(true);
        List<SimulatedProcess> daemons = living(false);
        boolean allAnswer = !spawners.isEmpty() && spawners.stream().allMatch(p -> p.answers(time.now()));
        answeringSince = !allAnswer ? Instant.MAX : answeringSince.equals(Instant.MAX) ? time.now() : answeringSince;
        elect(spawners);
        if (certifiedAt != null && holders.isEmpty()) {
            certifiedAt = null; // the verdict is withdrawn: the workers that are left compute again
        }
        if (certifiedAt != null) {
            isComputing = false;
            deliver(certifiedAt, spawners);
            return;
        }
        if (spawners.isEmpty() && daemons.isEmpty()) {
            computed = saved; // the state of a block is lost on all workers
        }
        isComputing = !spawners.isEmpty() && !daemons.isEmpty();
        computingSince = !isComputing ? null : computingSince == null ? time.now() : computingSince;
        if (isComputing) {
            computed = computed.plus(tick);
            if (computed.compareTo(workload.computing()) >= 0) {
                certifiedAt = time.now();
                wasCertified = true;
                spawners.stream().limit(COPIES).forEach(p -> holders.add(p.podUid()));
            }
        }
    }

    private void deliver(Instant certified, List<SimulatedProcess> spawners) {
        boolean isDue =
                !workload.untilFetched().isNegative() && !time.now().isBefore(certified.plus(workload.untilFetched()));
        if (isDue && spawners.stream().anyMatch(p -> holders.contains(p.podUid()) && p.answers(time.now()))) {
            isFetched = true;
        }
    }

    private void elect(List<SimulatedProcess> spawners) {
        if (spawners.stream().noneMatch(p -> p.podUid().equals(leader))) {
            leader = spawners.isEmpty() ? "" : spawners.getFirst().podUid();
            term++;
        }
    }

    /** Takes a checkpoint; returns whether there was anything to save. */
    public boolean checkpoint() {
        if (!isComputing) {
            return false;
        }
        saved = computed;
        return true;
    }

    /** The report of a spawner as it is, or as it was before it was cut off from the others. */
    StatusReply reply(SimulatedProcess spawner) {
        return spawner.reply(report(spawner), time.now());
    }

    private StatusReply report(SimulatedProcess spawner) {
        List<SimulatedProcess> spawners = living(true);
        int place = Math.max(0, spawners.indexOf(spawner));
        int groups = Math.max(1, spawners.size());
        StatusReply.Builder reply = StatusReply.newBuilder()
                .setSelf(member(spawner))
                .setJobUid(uid)
                .setTerm(term)
                .setBlocks(2)
                .setScale(1)
                .setTolerance(1e-6)
                .setResidual(Double.POSITIVE_INFINITY)
                .setIterations(computed.toSeconds() * MARKS + mark)
                .setCopiesInForce(2);
        spawners.stream()
                .filter(p -> p.podUid().equals(leader))
                .findFirst()
                .ifPresent(p -> reply.setLeader(member(p).getId()));
        boolean isHolder = holders.contains(spawner.podUid());
        if (certifiedAt != null && !holders.isEmpty()) {
            reply.setPhase(Phase.PHASE_FINISHED)
                    .setOutcome(outcome())
                    .setSid(3)
                    .setResidual(RESIDUAL)
                    .setResultReady(isHolder)
                    .setResultFetched(isHolder && isFetched);
            return reply.build();
        }
        int at = 0;
        for (SimulatedProcess daemon : living(false)) {
            if (at++ % groups == place) {
                reply.addWorkers(
                        WorkerStatus.newBuilder().setMember(member(daemon)).setPod(daemon.pod()));
            }
        }
        return reply.setPhase(isComputing ? Phase.PHASE_RUNNING : Phase.PHASE_FORMING)
                .build();
    }

    private Outcome outcome() {
        return Outcome.newBuilder()
                .setCertified(Certified.newBuilder().setSid(3).setResidual(RESIDUAL))
                .build();
    }

    private static Member member(SimulatedProcess process) {
        return Member.newBuilder()
                .setId((process.isSpawner() ? 1L << 32 : 0) + 1 + process.serial())
                .setName(process.pod())
                .build();
    }
}

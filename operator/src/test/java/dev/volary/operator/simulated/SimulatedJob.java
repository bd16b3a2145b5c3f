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
 * The workers of one job, by its UID, as a small model: the job forms, computes for a time, has a result that two spawners hold, again
 * after the loss of one, and a client fetches it, or the leader stores it before the job ends. Knows the truth that reports, which
 * may be late, do not show.
 */
public final class SimulatedJob {
    private static final double RESIDUAL = 5e-7;
    private static final int COPIES = 2;
    /** From the loss of a holder to another copy, while a spawner without one lives. */
    private static final Duration COPYING = Duration.ofSeconds(12);

    private static final int MARKS = 100;
    private static final String LOCATION = "storage/result.zarr";

    /**
     * What a job computes.
     *
     * @param computing time that all blocks together iterate
     * @param untilFetched time from the result to the download of it; negative for never
     * @param storing time in which the leader writes the result to its storage; zero if it stays with the spawners
     */
    public record Workload(Duration computing, Duration untilFetched, Duration storing) {
        /** Of a job whose result stays with its spawners. */
        public Workload(Duration computing, Duration untilFetched) {
            this(computing, untilFetched, Duration.ZERO);
        }
    }

    private final VirtualTime time;
    private final String uid;
    private final int mark;
    private final Workload workload;
    private final Map<String, SimulatedProcess> members = new TreeMap<>();
    private final Set<String> holders = new TreeSet<>();
    private final SimulatedBlocks blocks = new SimulatedBlocks();
    private SimulatedPublication publication;
    private Duration computed = Duration.ZERO;
    private Duration saved = Duration.ZERO;
    private boolean isComputing;
    private @Nullable Instant computingSince;
    private @Nullable Instant certifiedAt;
    private boolean wasCertified;
    private @Nullable Instant deliveredAt;
    private boolean wasDelivered;
    private boolean wasStored;
    private boolean isFetched;
    private final SimulatedExits exits = new SimulatedExits();
    private String leader = "";
    private long term;
    private Instant answeringSince = Instant.MAX;
    private Instant tooFewSince = Instant.MAX;

    SimulatedJob(VirtualTime time, String uid, int mark, Workload workload) {
        this.time = time;
        this.uid = uid;
        this.mark = mark;
        this.workload = workload;
        this.publication = new SimulatedPublication(workload.storing());
    }

    /** The UID of the job. */
    public String uid() {
        return uid;
    }

    /** Whether a number of iterations was reported by workers of this job: its last digits are those of this job alone. */
    public boolean hasReported(long iterations) {
        return iterations % MARKS == mark;
    }

    /** The exits of its workers so far. */
    public SimulatedExits exits() {
        return exits;
    }

    /** Whether the job has, or had, a result. */
    public boolean wasCertified() {
        return wasCertified;
    }

    /** Whether the job has, or had, a result where the job wants it, or where it stays because its storage takes nothing. */
    public boolean wasDelivered() {
        return wasDelivered;
    }

    /** Whether the result is in its storage. */
    public boolean isStored() {
        return wasStored;
    }

    /** Whether the job has a result that is not where it belongs. */
    public boolean isPublishing() {
        return certifiedAt != null && !publication.isOver();
    }

    /** The pods of the daemons that serve a block, and since when each does. */
    public Map<String, Instant> busy() {
        return blocks.servedBy();
    }

    /** The pods of the daemons that wait for a block. */
    public Set<String> standbys() {
        Set<String> standbys = new TreeSet<>();
        living(false).stream()
                .filter(daemon -> !blocks.isServedBy(daemon))
                .forEach(daemon -> standbys.add(daemon.podUid()));
        return standbys;
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
        return certifiedAt != null && !isFetched && !wasStored && holders.contains(podUid);
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
            exits.ended();
        }
        if (isForGood) {
            holders.remove(podUid);
        }
    }

    private List<SimulatedProcess> living(boolean isSpawner) {
        return members.values().stream()
                .filter(p -> p.isAlive() && !p.isCutOff() && p.isSpawner() == isSpawner)
                .sorted(Comparator.comparingInt(SimulatedProcess::serial))
                .toList();
    }

    /** @param isStorageUp whether the storage of results can be written */
    void pass(Duration tick, boolean isStorageUp) {
        List<SimulatedProcess> spawners = living(true);
        List<SimulatedProcess> daemons = living(false);
        boolean allAnswer = !spawners.isEmpty() && spawners.stream().allMatch(p -> p.answers(time.now()));
        answeringSince = !allAnswer ? Instant.MAX : answeringSince.equals(Instant.MAX) ? time.now() : answeringSince;
        elect(spawners);
        blocks.assign(daemons, time.now());
        if (certifiedAt != null && holders.isEmpty()) {
            certifiedAt = null; // the verdict is withdrawn: the workers that are left compute again
            publication = new SimulatedPublication(workload.storing());
            deliveredAt = null;
        }
        if (certifiedAt != null) {
            isComputing = false;
            publish(tick, isStorageUp, spawners);
            deliver(spawners);
            copyAgain(spawners);
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
                noteDelivery();
            }
        }
    }

    private void publish(Duration tick, boolean isStorageUp, List<SimulatedProcess> spawners) {
        if (!publication.isOver() && spawners.stream().anyMatch(p -> holders.contains(p.podUid()))) {
            publication.pass(tick, isStorageUp);
        }
        if (publication.isStored()) {
            wasStored = true;
            spawners.forEach(p -> holders.add(p.podUid())); // they know where it is
        }
        noteDelivery();
    }

    private void noteDelivery() {
        if (publication.isOver() && deliveredAt == null) {
            deliveredAt = time.now();
            wasDelivered = true;
        }
    }

    private void deliver(List<SimulatedProcess> spawners) {
        boolean isDue = deliveredAt != null
                && publication.isGivenUp()
                && !workload.untilFetched().isNegative()
                && !time.now().isBefore(deliveredAt.plus(workload.untilFetched()));
        if (isDue && spawners.stream().anyMatch(p -> holders.contains(p.podUid()) && p.answers(time.now()))) {
            isFetched = true;
        }
    }

    /** A holder copies the result to another spawner when a holder is lost after the end. */
    private void copyAgain(List<SimulatedProcess> spawners) {
        List<SimulatedProcess> without =
                spawners.stream().filter(p -> !holders.contains(p.podUid())).toList();
        int with = spawners.size() - without.size();
        boolean isNeeded = publication.isOver() && !isFetched && with > 0 && with < COPIES && !without.isEmpty();
        if (!isNeeded) {
            tooFewSince = Instant.MAX;
        } else if (tooFewSince.equals(Instant.MAX)) {
            tooFewSince = time.now();
        } else if (!time.now().isBefore(tooFewSince.plus(COPYING))) {
            holders.add(without.getFirst().podUid());
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
                .setBlocks(SimulatedBlocks.BLOCKS)
                .setScale(1)
                .setTolerance(1e-6)
                .setResidual(Double.POSITIVE_INFINITY)
                .setIterations(progress() * MARKS + mark)
                .setPublicationFailure(publication.failure())
                .setCopiesInForce(2);
        spawners.stream()
                .filter(p -> p.podUid().equals(leader))
                .findFirst()
                .ifPresent(p -> reply.setLeader(member(p).getId()));
        boolean isHolder = holders.contains(spawner.podUid());
        boolean isCertified = certifiedAt != null && !holders.isEmpty();
        if (isCertified) {
            reply.setSid(3).setResidual(RESIDUAL);
        }
        if (isCertified && publication.isOver()) {
            reply.setPhase(Phase.PHASE_FINISHED)
                    .setOutcome(outcome())
                    .setResultLocation(publication.isStored() ? LOCATION : "")
                    .setResultReady(isHolder)
                    .setResultFetched(isHolder && isFetched);
            return reply.build();
        }
        int at = 0;
        for (SimulatedProcess daemon : living(false)) {
            if (at++ % groups == place) {
                reply.addWorkers(WorkerStatus.newBuilder()
                        .setMember(member(daemon))
                        .setPod(daemon.pod())
                        .setStandby(!blocks.isServedBy(daemon)));
            }
        }
        return reply.setPhase(isComputing || isCertified ? Phase.PHASE_RUNNING : Phase.PHASE_FORMING)
                .build();
    }

    /** Seconds computed. Those of a long job are shown less often, which saves the simulation time. */
    private long progress() {
        long seconds = computed.toSeconds();
        return seconds <= 200 ? seconds : seconds - seconds % 30;
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

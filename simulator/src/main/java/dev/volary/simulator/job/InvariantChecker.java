// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.DetectionMessage;
import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.protocol.model.Scheme;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.check.SimulationReport;
import dev.volary.simulator.scenario.FaultPlan;
import dev.volary.simulator.scenario.Scenario;
import dev.volary.simulator.scenario.SimulatedProblem;
import dev.volary.simulator.scenario.TimingModel;
import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Residual;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks the invariants of a run. It sees the state of all workers and shares no code with the protocols. */
public final class InvariantChecker {
    private static final class Copy {
        private final double[] values;

        Copy(double[] values) {
            this.values = values;
        }

        double[] values() {
            return values;
        }
    }

    /** An iteration takes a millisecond. */
    private static final long STANDSTILL = 5_000_000;

    /** Blocks are backed up every 10 iterations, as samples say every 10 ms; one may be on its way. */
    private static final long MOST_LOST = 50;

    /** Snapshots that may close between a claim and the snapshot that it triggers. */
    private static final int LATE = 5;

    /** Evicted workers that a spawner may remember. */
    private static final int EVICTED = 64;

    /** Versions of a later term's block directory differ above these bits. */
    private static final int PER_TERM = 32;

    private record Line(WorkerId from, WorkerId to) {}

    private record Evaluation(long sid, RecordedBlock own, List<RecordedBlock> used) {}

    private final Scenario scenario;
    private final SimulatedProblem problem;
    private final long fencingGrace;
    private final Decomposition decomposition;
    private final double tolerance;
    private final int mostEntries;
    private final List<String> violations = new ArrayList<>();
    private final TreeMap<Long, Map<RecordedBlock, Copy>> records = new TreeMap<>();
    private final Set<Evaluation> evaluations = new HashSet<>();
    private final Map<RecordedBlock, double[]> sink = new HashMap<>();
    private final Map<Incarnation, Map<Integer, WorkerId>> assigned = new HashMap<>();
    private final Map<Integer, Incarnation> newest = new HashMap<>();
    private final Map<Integer, Long> newestSince = new HashMap<>();
    private final Map<Integer, WorkerId> newestBy = new HashMap<>();
    private final Set<WorkerId> dead = new HashSet<>();
    private final Map<Integer, Long> iteratedAt = new HashMap<>();
    private final Map<Integer, Long> reached = new HashMap<>();
    private final Map<Integer, double[]> resting = new HashMap<>();
    private final Map<Line, BlockMessage.DirectoryUpdate> updates = new HashMap<>();
    private long disturbedUntil;
    private int lost;
    private int reassigned;
    private final TimeStepChecker steps;
    private int leaders;
    private final List<double[][]> sequential = new ArrayList<>();
    private int sequentialStep;
    private final List<Block> sequentialBlocks = new ArrayList<>();
    private Optional<JobOutcome> outcome = Optional.empty();
    private Optional<SpawnerAction.AssembleResult> delivered = Optional.empty();
    private double[] vector = {};
    /** Of that vector, recomputed. */
    private Residual truth = Residual.ZERO;

    private long sinkSid;
    private long withdrawn = Long.MIN_VALUE;
    private int withdrawals;
    private boolean notCopied;
    private int snapshots;
    private int refusals;
    private boolean claimed;
    private int closedSinceClaim;
    private int stalls;
    private int fenced;
    private int refused;
    private long iterations;

    InvariantChecker(Scenario scenario, SimulatedProblem problem, TimingModel timing) {
        this.scenario = scenario;
        this.problem = problem;
        this.fencingGrace = timing.fencingGrace();
        this.decomposition = problem.decomposition();
        this.tolerance = scenario.tolerance() * problem.model().scale();
        this.steps = new TimeStepChecker(problem, tolerance, this::violated);
        this.mostEntries = 30 * (decomposition.edges().size() + scenario.daemons() + scenario.spawners()) + EVICTED;
    }

    // ---- what happens ----------------------------------------------------------------------------------------------

    public void violated(String what) {
        if (violations.size() < 10) {
            violations.add(what);
        }
    }

    void memory(Member member, int entries) {
        if (entries > mostEntries) {
            violated(member.name() + " holds " + entries + " entries, more than " + mostEntries);
        }
    }

    void link(Member member, int outstanding, int early, int capacity) {
        if (outstanding > capacity || early > capacity) {
            violated("a control link of " + member.name() + " holds " + outstanding + " and " + early + " messages");
        }
    }

    void refused() {
        refused++;
    }

    void fencedOne() {
        fenced++;
    }

    /** No member of the log is left: a verdict that was not announced is lost with it, and another one may follow. */
    void logLost() {
        if (outcome.isEmpty()) {
            delivered = Optional.empty();
        }
    }

    /** A process has ended. */
    void died(WorkerId node) {
        dead.add(node);
    }

    /** A block has iterated: of two incarnations the older one must soon be silent. */
    void iterated(int block, Incarnation incarnation, long completed, Member daemon, long now) {
        iterations++;
        reached.merge(block, completed, Math::max);
        Incarnation known = newest.get(block);
        int order = known == null ? 1 : incarnation.compareTo(known);
        long before = iteratedAt.getOrDefault(block, now);
        iteratedAt.put(block, now);
        if (scenario.faultPlan().kind().harmsNoDaemon() && !scenario.rollsBack()) {
            if (known != null && order > 0) {
                violated("block " + block + " began again as " + incarnation + ", though only spawners died");
            } else if (now - before > STANDSTILL) {
                violated("block " + block + " stood still for " + (now - before) / 1_000_000
                        + " ms, though only spawners died");
            }
        }
        if (order > 0) {
            newest.put(block, incarnation);
            newestSince.put(block, now);
        }
        if (order >= 0) {
            newestBy.put(block, daemon.id());
            return;
        }
        // The incarnation that ended on a machine that was cut off need not be known to any worker.
        boolean alone = dead.contains(newestBy.get(block));
        if (!alone && now > Math.max(newestSince.getOrDefault(block, now), disturbedUntil) + fencingGrace) {
            violated("block " + block + " is still computed by " + daemon.name() + " as " + incarnation + ", "
                    + (now - newestSince.getOrDefault(block, now)) / 1_000_000 + " ms after " + known + " began");
        }
    }

    /** A block is open again, from a backup of this iteration if there was one: once there was time for backups it has one. */
    void reopened(int block, OptionalLong from) {
        long lostIterations = reached.getOrDefault(block, 0L) - from.orElse(0);
        if (scenario.faultPlan().kind() == FaultPlan.FaultKind.LATE
                && !scenario.rollsBack()
                && lostIterations > MOST_LOST) {
            violated("block " + block + " goes on from iteration " + from + " and has lost " + lostIterations
                    + ", though there was time for backups");
        }
    }

    /** Until then some messages do not arrive, or not soon. */
    void disturbed(long until) {
        disturbedUntil = Math.max(disturbedUntil, until);
    }

    private void written(LogEntry entry) {
        if (entry instanceof LogEntry.StepCommitted(CommittedStep record)
                && record.parts().size() != decomposition.blocks()) {
            violated("step " + record.step() + " is logged with only "
                    + record.parts().size() + " parts stored");
        }
    }

    /** A control message. */
    void sent(Member from, WorkerId to, Message message) {
        switch (message) {
            case BlockMessage.Assign assign -> {
                for (BlockAssignment entry : assign.blocks()) {
                    WorkerId before = assigned.computeIfAbsent(entry.incarnation(), i -> new HashMap<>())
                            .putIfAbsent(entry.block(), to);
                    if (before != null && !before.equals(to)) {
                        violated("block " + entry.block() + " is given to two daemons as " + entry.incarnation());
                    }
                }
            }
            case LogMessage.Append write -> write.records().forEach(this::written);
            case BlockMessage.DirectoryUpdate update -> {
                BlockMessage.DirectoryUpdate before = updates.put(new Line(from.id(), to), update);
                if (before != null && before.version() >>> PER_TERM == update.version() >>> PER_TERM) {
                    versions(from, before, update);
                }
            }
            case DetectionMessage.ConvergenceClaim claim -> {
                claimed = true;
                closedSinceClaim = 0;
            }
            default -> {}
        }
    }

    /** A block directory has another version exactly if it has other entries. */
    private void versions(Member from, BlockMessage.DirectoryUpdate before, BlockMessage.DirectoryUpdate update) {
        boolean same = before.version() == update.version();
        if (same != before.entries().equals(update.entries())) {
            violated(from.name() + " sends version " + update.version() + " of a block directory after version "
                    + before.version() + ", whose entries are " + (same ? "others" : "the same"));
        }
    }

    /** A block rests for good, because its daemon leaves. */
    void rests(int block, Incarnation incarnation, double[] values) {
        resting.put(block, values);
    }

    /** A holder has taken a backup. */
    void kept(int block, BlockVersion key, Optional<BlockVersion> newestBefore) {
        newestBefore
                .filter(known -> known.incarnation().compareTo(key.incarnation()) > 0)
                .ifPresent(known -> violated("a backup of block " + block + " by " + key.incarnation()
                        + " was kept after one by " + known.incarnation()));
    }

    /**
     * A search is over.
     *
     * @param left copies that there are now
     */
    void searched(DaemonAction.RestoreBlock restore, Optional<BlockVersion> found, Collection<BlockVersion> left) {
        restore.known()
                .filter(known -> left.stream().anyMatch(known::isMetBy)
                        && found.filter(known::isMetBy).isEmpty())
                .ifPresent(known -> violated("block " + known.block()
                        + " goes back behind a copy that was known and is left: to " + found + " instead of " + known));
    }

    /** A block goes on from a backup. */
    void restored(int block, Incarnation of, double[] values) {
        double[] last = resting.remove(block);
        if (scenario.faultPlan().kind() == FaultPlan.FaultKind.LEAVE && last != null && !Arrays.equals(last, values)) {
            violated("block " + block + " lost iterations of " + of + " though its daemon left in order");
        }
    }

    void emitted(JobEvent event, SimulatedBackups holders) {
        if (event instanceof JobEvent.SnapshotClosed closed) {
            snapshots++;
            closedSinceClaim++;
            refusals += claimed && closed.residual() > tolerance ? 1 : 0;
            claimed = false;
        } else if (event instanceof JobEvent.StepCommitted committed) {
            steps.announced(committed);
        } else if (event instanceof JobEvent.VerdictWithdrawn verdict) {
            withdrawn = Math.max(withdrawn, verdict.sid());
            withdrawals++;
        } else if (event instanceof JobEvent.ResultNotCopied) {
            notCopied = true;
        } else if (event instanceof JobEvent.LocallyStalled) {
            stalls++;
        } else if (event instanceof JobEvent.DaemonLost) {
            lost++;
        } else if (event instanceof JobEvent.BlocksReassigned blocks) {
            reassigned += blocks.blocks().size();
        } else if (event instanceof JobEvent.LeaderElected) {
            leaders++;
        } else if (event instanceof JobEvent.RolledBack(int epoch, long iteration)
                && iteration == 0
                && scenario.faultPlan().kind() == FaultPlan.FaultKind.LATE
                && holders.haveCheckpoint(decomposition.blocks())) {
            violated("in epoch " + epoch + " all blocks begin again, though there are checkpoints of all");
        }
    }

    /** A block takes a halo to read. */
    void reads(int block, int step, int from, BlockVersion halo) {
        if (halo.step() != step) {
            violated("block " + block + " took data of step " + halo.step() + " of block " + from + " in step " + step);
        }
    }

    /** A block has committed a step. */
    void committed(CommittedStep record, int block, double[] values) {
        Optional<RecordedBlock> label = record.part(block).map(SnapshotMessage.StoredPart::part);
        Optional<Copy> copy =
                label.map(name -> records.getOrDefault(record.sid(), Map.of()).get(name));
        if (copy.filter(recorded -> !Arrays.equals(recorded.values(), values)).isPresent()) {
            violated("block " + block + " commits other values for step " + record.step() + " than were recorded");
        }
        steps.committed(record, block, values);
    }

    void recorded(long sid, RecordedBlock label, double[] values, int step, long iteration) {
        Map<RecordedBlock, Copy> of = records.computeIfAbsent(sid, s -> new HashMap<>());
        if (of.keySet().stream()
                .anyMatch(known ->
                        known.block() == label.block() && known.incarnation().equals(label.incarnation()))) {
            violated("block " + label.block() + " was recorded twice for snapshot " + sid);
        }
        of.put(label, new Copy(values.clone()));
        while (records.size() > 2) {
            long oldest = records.firstKey();
            records.remove(oldest);
            evaluations.removeIf(evaluation -> evaluation.sid() == oldest);
        }
        if (scenario.scheme() == Scheme.SYNCHRONOUS
                && problem.isSmall()
                && steps.isComplete(step - 1)
                && !Arrays.equals(values, sweep(step, iteration)[label.block()])) {
            violated("block " + label.block() + " after " + iteration
                    + " synchronous iterations differs from the sequential sweep");
        }
    }

    void evaluated(long sid, RecordedBlock own, List<RecordedBlock> used) {
        evaluations.add(new Evaluation(sid, own, used));
    }

    void stored(long sid, RecordedBlock part, double[] values) {
        if (sid > sinkSid) {
            sinkSid = sid;
            sink.clear();
        }
        if (sid == sinkSid) {
            sink.put(part, values.clone());
        }
    }

    /** The sink assembles the parts of the result; missing values stay zero. */
    void assembled(SpawnerAction.AssembleResult result) {
        delivered
                .filter(before -> before.sid() != result.sid() && before.sid() > withdrawn)
                .ifPresent(before ->
                        violated("snapshots " + before.sid() + " and " + result.sid() + " are both the last"));
        delivered = Optional.of(result);
        vector = new double[(int) decomposition.unknowns().size()];
        Set<Integer> assembledBlocks = new TreeSet<>();
        for (SnapshotMessage.StoredPart part : result.parts()) {
            int block = part.part().block();
            double[] values = sink.get(part.part());
            Copy copy = records.getOrDefault(result.sid(), Map.of()).get(part.part());
            if (!assembledBlocks.add(block)) {
                violated("block " + block + " is delivered twice");
            }
            if (values == null || copy == null || sinkSid != result.sid()) {
                violated("block " + block + " is delivered without having been stored");
                continue;
            }
            if (!Arrays.equals(copy.values(), values)) {
                violated("block " + block + " is delivered with other values than recorded");
            }
            long[] where = decomposition.parts().get(block).core().indices(decomposition.unknowns());
            for (int i = 0; i < where.length; i++) {
                vector[(int) where[i]] = values[i];
            }
        }
        if (assembledBlocks.size() != decomposition.blocks()) {
            violated("only blocks " + assembledBlocks + " are delivered");
        }
        truth = steps.residual(vector);
        certificate(result);
    }

    /** A checkpoint is made of these parts: a whole vector, as it was recorded, with the residual that is certified. */
    void checkpoint(CommittedStep record, SimulatedPartRepository parts) {
        double[] whole = new double[(int) decomposition.unknowns().size()];
        for (int block = 0; block < decomposition.blocks(); block++) {
            Optional<double[]> values = record.part(block).flatMap(part -> parts.find(record.sid(), part.part()));
            if (values.isEmpty()) {
                violated("block " + block + " is not durable in checkpoint " + record.sid());
                return;
            }
            long[] where = decomposition.parts().get(block).core().indices(decomposition.unknowns());
            for (int i = 0; i < where.length; i++) {
                whole[(int) where[i]] = values.get()[i];
            }
        }
        if (record.step() == 0) {
            Residual truth = steps.residual(whole);
            if (!(Math.abs(record.residual() - truth.maxNorm()) <= 2 * truth.roundoff())) {
                violated("checkpoint " + record.sid() + " says " + record.residual() + ", its vector has "
                        + truth.maxNorm());
            }
        }
    }

    /** A result that the loss of one spawner would destroy must not be announced, unless no spawner could take a copy. */
    private void held(long sid, SimulatedPartRepository holders) {
        int wanted = notCopied ? 1 : 2;
        if (holders.resultHoldersEver(sid) < wanted || holders.resultHolders(sid) == 0) {
            violated("the job ends with its result in " + holders.resultHolders(sid) + " spawners");
        }
    }

    void finished(JobOutcome end, SimulatedPartRepository sink) {
        if (outcome.isPresent()) {
            // A leader that dies with its verdict logged may have ended the job already: the next one ends it likewise.
            if (!outcome.get().equals(end)) {
                violated("ended twice: " + outcome.get() + " and " + end);
            }
            return;
        }
        outcome = Optional.of(end);
        if (scenario.tree() && end instanceof JobOutcome.Certified && closedSinceClaim > LATE) {
            violated("certified, but no block claimed so in the verification tree for " + closedSinceClaim
                    + " snapshots");
        }
        switch (end) {
            case JobOutcome.Certified certified -> {
                if (scenario.spools() > 0) {
                    held(certified.sid(), sink);
                }
                if (delivered
                        .filter(d -> d.sid() == certified.sid() && d.residual() == certified.residual())
                        .isEmpty()) {
                    violated("certified without the delivered vector: " + certified);
                }
                if (!(truth.maxNorm() <= tolerance)) {
                    violated("certified " + certified.residual() + ", but the delivered vector has " + truth.maxNorm()
                            + " above the tolerance " + tolerance);
                }
                steps.ended(vector);
            }
            case JobOutcome.NotConverged notConverged -> {
                if (scenario.deadline().isEmpty()) {
                    violated("not converged without a deadline");
                }
                if (Double.isFinite(notConverged.residual()) && delivered.isEmpty()) {
                    violated("not converged with a residual, but nothing was delivered");
                }
            }
            case JobOutcome.Failed failed -> {
                if (failed.reason().startsWith("StateLost")) {
                    violated("the result of a committed step is lost, though the sink was not: " + failed.reason());
                }
                if (failed.reason().isBlank()) {
                    violated("failed without a reason");
                }
            }
        }
    }

    // ---- what must hold --------------------------------------------------------------------------------------------

    /** The certified residual is that of the delivered vector, and every edge was evaluated with what was recorded. */
    private void certificate(SpawnerAction.AssembleResult result) {
        if (!(Math.abs(result.residual() - truth.maxNorm()) <= 2 * truth.roundoff())) {
            violated("snapshot " + result.sid() + " says " + result.residual() + ", the delivered vector has "
                    + truth.maxNorm());
        }
        Map<Integer, RecordedBlock> parts = new HashMap<>();
        result.parts().forEach(part -> parts.put(part.part().block(), part.part()));
        for (int block = 0; block < decomposition.blocks(); block++) {
            RecordedBlock own = parts.get(block);
            List<RecordedBlock> sources = new ArrayList<>();
            decomposition.incoming(block).stream().map(Edge::from).sorted().forEach(source -> {
                if (parts.containsKey(source)) {
                    sources.add(parts.get(source));
                }
            });
            if (own == null || !evaluations.contains(new Evaluation(result.sid(), own, sources))) {
                violated("block " + block + " was never evaluated with what its sources recorded");
            }
        }
    }

    /** All cores after {@code iteration} sequential synchronous iterations of a step. */
    private double[][] sweep(int step, long iteration) {
        if (step != sequentialStep) {
            sequentialStep = step;
            sequential.clear();
            sequentialBlocks.clear();
        }
        if (sequential.isEmpty()) {
            for (int b = 0; b < decomposition.blocks(); b++) {
                Block block = problem.open(decomposition, b);
                steps.bringTo(block, b, step);
                sequentialBlocks.add(block);
            }
            sequential.add(cores());
        }
        while (sequential.size() <= iteration) {
            double[][] before = sequential.getLast();
            for (int b = 0; b < decomposition.blocks(); b++) {
                List<Edge> incoming = decomposition.incoming(b);
                double[][] halos = new double[incoming.size()][];
                for (int k = 0; k < halos.length; k++) {
                    halos[k] = values(incoming.get(k), before[incoming.get(k).from()]);
                }
                sequentialBlocks.get(b).iterate(SimulatedBlock.halos(halos));
            }
            sequential.add(cores());
        }
        return sequential.get((int) iteration);
    }

    private double[][] cores() {
        double[][] cores = new double[decomposition.blocks()][];
        for (int b = 0; b < cores.length; b++) {
            cores[b] = new double[decomposition.parts().get(b).core().size()];
            sequentialBlocks.get(b).copyCore(cores[b]);
        }
        return cores;
    }

    private double[] values(Edge edge, double[] core) {
        long[] indices = decomposition.parts().get(edge.from()).core().indices(decomposition.unknowns());
        long[] wanted = edge.values().indices(decomposition.unknowns());
        double[] values = new double[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            for (int j = 0; j < indices.length; j++) {
                if (indices[j] == wanted[i]) {
                    values[i] = core[j];
                }
            }
        }
        return values;
    }

    // ---- the verdict -----------------------------------------------------------------------------------------------

    public boolean foundAnything() {
        return !violations.isEmpty();
    }

    public boolean ended() {
        return outcome.isPresent();
    }

    /** The job was given up, which it must never make necessary. */
    public void didNotEnd() {
        if (violations.isEmpty()) {
            violated("the job did not end");
        }
    }

    /** This time, or the end of the last pause or partition if that is later. */
    public long calmAfter(long time) {
        return Math.max(time, disturbedUntil);
    }

    private int crowd() {
        Map<WorkerId, Integer> blocks = new HashMap<>();
        newestBy.values().forEach(daemon -> blocks.merge(daemon, 1, Integer::sum));
        return blocks.values().stream().max(Integer::compare).orElse(0);
    }

    public SimulationReport report(long seed, long virtualNanos, long events) {
        return new SimulationReport(
                scenario.name(),
                seed,
                outcome,
                violations,
                delivered.isPresent() ? truth.maxNorm() : Double.NaN,
                delivered.isPresent() ? SimulatedBlock.hash(vector) : 0,
                virtualNanos,
                snapshots,
                refusals,
                iterations,
                stalls,
                fenced,
                refused,
                lost,
                reassigned,
                crowd(),
                leaders,
                withdrawals,
                events);
    }
}

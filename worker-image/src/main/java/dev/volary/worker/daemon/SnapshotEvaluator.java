// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.mesh.link.RecordedHalo;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Residual;
import dev.volary.solver.ResidualNorm;
import dev.volary.worker.compute.BlockRunner;
import dev.volary.worker.compute.CertifiedCore;
import dev.volary.worker.compute.ComputeEngine;
import dev.volary.worker.compute.EdgePositions;
import dev.volary.worker.compute.FixedHalos;
import dev.volary.worker.compute.RecordedCore;
import dev.volary.worker.result.PartRepository;
import dev.volary.worker.result.StoreTimeoutException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A daemon's part in snapshots: keeps recorded cores, exchanges their edges, evaluates residuals and stores parts.
 * Confined to the background thread. At most one record per block is kept, the newest.
 */
final class SnapshotEvaluator {
    private record EdgeKey(int from, int to) {}

    private final Decomposition decomposition;
    private final PartRepository store;
    private final Map<Integer, BlockRunner> runners;
    private final ComputeEngine engine;
    private final DaemonEventAdapter events;
    private final Map<Integer, RecordedCore> newestRecords = new HashMap<>();
    private final Map<EdgeKey, RecordedHalo> halos = new HashMap<>();

    SnapshotEvaluator(
            Decomposition decomposition,
            PartRepository store,
            Map<Integer, BlockRunner> runners,
            ComputeEngine engine,
            DaemonEventAdapter events) {
        this.decomposition = decomposition;
        this.store = store;
        this.runners = runners;
        this.engine = engine;
        this.events = events;
    }

    /** A core was copied. */
    void recorded(RecordedCore core) {
        RecordedCore before = newestRecords.put(core.name().block(), core);
        if (before != null) {
            recycle(before);
        }
        events.offer(new DaemonEvent.BlockRecorded(core.sid(), core.name(), core.iteration()));
    }

    /** Sends the recorded values that {@code to} reads; nothing if there is no such record. */
    void send(long sid, int from, int to) {
        RecordedCore record = record(sid, from);
        BlockRunner runner = runners.get(from);
        if (record == null || runner == null) {
            return;
        }
        int length = edge(from, to).haloSize();
        double[] values = new double[length];
        runner.gather(to, record.core(), values);
        engine.outgoing(from, to, length)
                .sendRecorded(
                        sid,
                        runner.step(),
                        record.name().incarnation(),
                        record.name().hash(),
                        values);
    }

    /** Recorded values of a source arrived: the newest snapshot's are kept. */
    void arrived(RecordedHalo halo) {
        EdgeKey key = new EdgeKey(halo.source().block(), halo.to());
        RecordedHalo there = halos.get(key);
        if (there == null
                || there.sid() < halo.sid()
                || (there.sid() == halo.sid()
                        && there.source().incarnation().compareTo(halo.source().incarnation()) <= 0)) {
            halos.put(key, halo);
            events.offer(new DaemonEvent.RecordedHaloArrived(halo.step(), halo.sid(), halo.source(), halo.to()));
        }
    }

    /** Lets the block evaluate the residual of its record with exactly these recorded sources. */
    void evaluate(long sid, int block, List<RecordedBlock> used) {
        RecordedCore record = record(sid, block);
        BlockRunner runner = runners.get(block);
        if (record == null || runner == null) {
            return;
        }
        List<Edge> incoming = decomposition.incoming(block);
        List<double[]> values = new ArrayList<>();
        for (Edge edge : incoming) {
            RecordedBlock source = wanted(used, edge.from());
            Optional<double[]> recorded = values(sid, source, edge);
            if (recorded.isEmpty()) {
                events.offer(new DaemonEvent.RecordedHaloMissing(sid, source, block));
                return;
            }
            values.add(recorded.get());
        }
        runner.evaluate(
                record.core(),
                new FixedHalos(values),
                (residual, nanos) -> events.offer(
                        new DaemonEvent.PartEvaluated(sid, record.name(), used, partial(residual), nanos)));
    }

    private static PartialResidual partial(Residual residual) {
        return new PartialResidual(
                residual.norm(), residual.sumOfSquares(), residual.roundoff(), residual.kind() == ResidualNorm.SUM);
    }

    /** Writes a recorded block to the result sink. */
    void store(long sid, int block) {
        RecordedCore record = record(sid, block);
        if (record == null) {
            return;
        }
        try {
            int checksum = store.store(sid, block, record.core(), record.core().length);
            events.offer(new DaemonEvent.PartStored(sid, record.name(), checksum));
        } catch (IOException e) {
            events.offer(new DaemonEvent.StoreFailed(
                    sid, block, String.valueOf(e.getMessage()), e instanceof StoreTimeoutException));
        }
    }

    /**
     * Hands a block the values it is to commit: from the records here, else from the result sink.
     *
     * @param isSearched whether a block's backup is still searched for
     */
    void commit(DaemonAction.CommitStep order, IntPredicate isSearched) {
        BlockRunner runner = runners.get(order.block());
        if (runner == null || !runner.incarnation().equals(order.incarnation())) {
            return;
        }
        CommittedStep step = order.record();
        try {
            List<double[]> halos = new ArrayList<>();
            for (Edge edge : decomposition.incoming(order.block())) {
                SnapshotMessage.StoredPart source = part(step, edge.from());
                Optional<double[]> here = values(step.sid(), source.part(), edge);
                halos.add(here.isPresent() ? here.get() : gather(stored(step, source), edge));
            }
            SnapshotMessage.StoredPart own = part(step, order.block());
            RecordedCore record = record(step.sid(), order.block());
            double[] core = record != null && record.name().equals(own.part()) ? record.core() : stored(step, own);
            runner.commit(new CertifiedCore(step.step(), core, halos));
        } catch (IOException e) {
            events.offer(new DaemonEvent.StepCommitFailed(
                    order.block(),
                    order.incarnation(),
                    step.step(),
                    isSearched.test(order.block()),
                    String.valueOf(e.getMessage())));
        }
    }

    private double[] stored(CommittedStep step, SnapshotMessage.StoredPart part) throws IOException {
        int block = part.part().block();
        int count = decomposition.parts().get(block).core().size();
        return store.read(step.sid(), block, count, part.checksum());
    }

    private double[] gather(double[] core, Edge edge) {
        int[] positions = EdgePositions.of(
                decomposition.unknowns(), decomposition.parts().get(edge.from()).core(), edge.values());
        double[] values = new double[positions.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = core[positions[i]];
        }
        return values;
    }

    private static SnapshotMessage.StoredPart part(CommittedStep step, int block) throws IOException {
        return step.part(block)
                .orElseThrow(() ->
                        new IOException("the commit of step " + step.step() + " names no part of block " + block));
    }

    /** The snapshot is over: its records may go. */
    void drop(long sid) {
        newestRecords.values().removeIf(record -> {
            boolean isOver = record.sid() <= sid;
            if (isOver) {
                recycle(record);
            }
            return isOver;
        });
        halos.values().removeIf(halo -> halo.sid() <= sid);
    }

    /** A block that marches in time may still commit the record. */
    private void recycle(RecordedCore record) {
        BlockRunner runner = runners.get(record.name().block());
        if (runner != null && runner.step() == 0) {
            runner.recycle(record.core());
        }
    }

    private @Nullable RecordedCore record(long sid, int block) {
        RecordedCore record = newestRecords.get(block);
        return record != null && record.sid() == sid ? record : null;
    }

    /** The recorded values of an edge, from this daemon's own records or from those that arrived. */
    private Optional<double[]> values(long sid, RecordedBlock source, Edge edge) {
        RecordedCore here = record(sid, source.block());
        BlockRunner runner = runners.get(source.block());
        if (here != null && runner != null && here.name().equals(source)) {
            double[] values = new double[edge.values().size()];
            runner.gather(edge.to(), here.core(), values);
            return Optional.of(values);
        }
        RecordedHalo halo = halos.get(new EdgeKey(edge.from(), edge.to()));
        return halo != null && halo.sid() == sid && halo.source().equals(source)
                ? Optional.of(halo.values())
                : Optional.empty();
    }

    private static RecordedBlock wanted(List<RecordedBlock> used, int source) {
        for (RecordedBlock recorded : used) {
            if (recorded.block() == source) {
                return recorded;
            }
        }
        throw new IllegalStateException("no record of block " + source + " was named");
    }

    private Edge edge(int from, int to) {
        for (Edge edge : decomposition.outgoing(from)) {
            if (edge.to() == to) {
                return edge;
            }
        }
        throw new IllegalStateException("no edge from " + from + " to " + to);
    }
}

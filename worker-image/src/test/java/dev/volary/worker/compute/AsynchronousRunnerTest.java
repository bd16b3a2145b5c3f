// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.WorkerId;
import dev.volary.solver.Block;
import dev.volary.solver.Halos;
import dev.volary.solver.IndexRange;
import dev.volary.solver.Residual;
import dev.volary.solver.SteppedBlock;
import dev.volary.solver.Subdomain;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A block of one unknown, whose residual is the unknown itself; each iteration halves it, from 8. */
class AsynchronousRunnerTest {
    private static class Halving implements Block {
        double value = 8;

        @Override
        public double iterate(Halos newest) {
            value /= 2;
            return value;
        }

        @Override
        public void copyCore(double[] target) {
            target[0] = value;
        }

        @Override
        public void setCore(double[] core, Halos halos) {
            value = core[0];
        }

        @Override
        public Residual residual(double[] core, Halos recorded) {
            return new Residual(Math.abs(core[0]), core[0] * core[0], 0);
        }
    }

    /** As before, in time steps: what was committed last is the start of the next step. */
    private static final class SteppedHalving extends Halving implements SteppedBlock {
        private int step = 1;

        @Override
        public int step() {
            return step;
        }

        @Override
        public void commit(double[] certified, Halos halos) {
            value = certified[0];
            step++;
        }

        @Override
        public void save(DataOutput out) throws IOException {
            out.writeInt(step);
        }

        @Override
        public void load(DataInput in) throws IOException {
            step = in.readInt();
        }
    }

    /** Notes backups that arrived late, records, and steps that began. */
    private final class LateBackups implements RunnerListener {
        @Override
        public void backupArrivedLate(BlockRunner of, long iteration, boolean adopted) {
            late.add(iteration + " " + adopted);
        }

        @Override
        public void firstIterationDone(BlockRunner of) {}

        @Override
        public void recorded(BlockRunner of, RecordedCore core) {
            records.add(core);
        }

        @Override
        public void backedUp(BlockRunner of, int slot, boolean last, BlockState state, long nanos) {}

        @Override
        public void checkpointed(BlockRunner of, int slot, long iteration, Optional<BlockState> state, long nanos) {}

        @Override
        public void tested(BlockRunner of, long iteration, boolean passed, boolean asked) {}

        @Override
        public void phaseElapsed(BlockRunner of, int phase, boolean passed) {}

        @Override
        public void failed(BlockRunner of, String reason) {}

        @Override
        public void haloOverdue(int from, int to, int step, long iteration) {}

        @Override
        public void stepCommitted(BlockRunner of, int step) {
            steps.add(step);
        }

        @Override
        public void nearlyConverged(BlockRunner of) {}
    }

    private final List<String> late = new ArrayList<>();
    private final List<Integer> steps = new ArrayList<>();
    private final List<RecordedCore> records = new ArrayList<>();
    private final AsynchronousRunner runner = runner(new Halving());

    private AsynchronousRunner runner(Block block) {
        return new AsynchronousRunner(
                new RunnerConfig(
                        new Subdomain(0, new IndexRange(0, 1), 8, 1),
                        new Incarnation(new GroupTerm(1, new WorkerId(1)), 2),
                        block,
                        Optional.empty(),
                        List.of(),
                        0,
                        Duration.ZERO),
                List.of(),
                new LinkHalos(List.of(), 0),
                1e-9,
                false,
                AsynchronousRunner.Origin.START,
                new LateBackups());
    }

    AsynchronousRunnerTest() {
        runner.start();
        runner.runOnce(); // 4
    }

    private static BlockState backup(long iteration, double value) {
        return new BlockState(iteration, new double[] {value}, List.of(), new byte[0]);
    }

    @Test
    void aBackupWithMoreIterationsThatArrivesLateIsAdoptedWhateverItsResidual() {
        runner.offer(backup(100, 6));
        runner.runOnce();
        assertEquals(List.of("100 true"), late);
        assertEquals(3, runner.state().core()[0]);
        assertEquals(101, runner.progress(0, List.of()).iteration());
    }

    @Test
    void aBackupWithFewerIterationsThatArrivesLateIsIgnored() {
        runner.offer(backup(1, 0.5));
        runner.runOnce();
        assertEquals(List.of("1 false"), late);
        assertEquals(2, runner.state().core()[0]);
        assertEquals(2, runner.progress(0, List.of()).iteration());
    }

    @Test
    void aBackupIsAdoptedOnce() {
        runner.offer(backup(100, 0.5));
        runner.runOnce();
        runner.runOnce();
        assertEquals(1, late.size());
        assertTrue(runner.state().core()[0] < 0.25);
    }

    @Test
    void aLateBackupOfALaterStepIsAdoptedWhateverItsResidual() {
        AsynchronousRunner stepped = steppedRunner();
        stepped.offer(steppedBackup(3, 100, 64));
        stepped.runOnce();
        assertEquals(List.of("100 true"), late);
        assertEquals(List.of(3), steps);
        assertEquals(3, stepped.step());
        assertEquals(32, stepped.state().core()[0]);
        assertEquals(101, stepped.progress(0, List.of()).iteration());
    }

    @Test
    void aLateBackupOfAnEarlierStepIsIgnored() {
        AsynchronousRunner stepped = steppedRunner();
        stepped.commit(new CertifiedCore(1, new double[] {16}, List.of()));
        stepped.offer(steppedBackup(1, 100, 0.5));
        stepped.runOnce();
        assertEquals(List.of("100 false"), late);
        assertEquals(2, stepped.step());
        assertEquals(8, stepped.state().core()[0]);
    }

    @Test
    void aResidualIsEvaluatedInTheNextTurnAndOnlyTheNewestRequestCounts() {
        List<Double> norms = new ArrayList<>();
        runner.evaluate(new double[] {3}, new FixedHalos(List.of()), (residual, nanos) -> norms.add(residual.norm()));
        runner.evaluate(new double[] {5}, new FixedHalos(List.of()), (residual, nanos) -> norms.add(residual.norm()));
        assertEquals(List.of(), norms);
        runner.runOnce();
        runner.runOnce();
        assertEquals(List.of(5.0), norms);
    }

    @Test
    void aRecordKeepsItsValuesUntilItIsGivenBack() {
        runner.record(1);
        runner.runOnce();
        runner.record(2);
        runner.runOnce();
        assertEquals(List.of(4.0, 2.0), records.stream().map(r -> r.core()[0]).toList());
        double[] first = records.getFirst().core();
        runner.recycle(first);
        runner.record(3);
        runner.runOnce();
        assertSame(first, records.getLast().core());
        assertEquals(1, first[0]);
        assertEquals(2, records.get(1).core()[0]);
    }

    private AsynchronousRunner steppedRunner() {
        AsynchronousRunner stepped = runner(new SteppedHalving());
        stepped.start();
        stepped.runOnce();
        return stepped;
    }

    private static BlockState steppedBackup(int step, long iteration, double value) {
        byte[] saved = ByteBuffer.allocate(Integer.BYTES).putInt(step).array();
        return new BlockState(step, iteration, new double[] {value}, List.of(), saved);
    }
}

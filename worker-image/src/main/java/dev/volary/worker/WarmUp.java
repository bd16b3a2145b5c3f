package dev.volary.worker;

import dev.volary.protocol.NodeId;
import dev.volary.solver.InvalidProblem;
import dev.volary.worker.compute.BlockRunner;
import dev.volary.worker.compute.BlockState;
import dev.volary.worker.compute.RecordedCore;
import dev.volary.worker.compute.Rehearsal;
import dev.volary.worker.compute.RunnerListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** What a standby does while it waits: it rehearses once, on a thread that gives way to those who compute. */
final class WarmUp implements RunnerListener {
    /** An iteration may take long, and a block that has lost its daemon does not wait for it. */
    private static final long END_MILLIS = 50;

    private final Rehearsal rehearsal;
    private final Thread thread;

    /**
     * Begins at once.
     *
     * @param self who chooses a block to rehearse
     */
    WarmUp(OpenedProblem problem, NodeId self) {
        int block = Math.floorMod(
                Long.hashCode(self.value()), problem.decomposition().blocks());
        this.rehearsal = new Rehearsal(problem.model(), problem.decomposition(), block, this);
        this.thread = Thread.ofPlatform().daemon().name("warm-up").start(this::rehearse);
    }

    private void rehearse() {
        LowPriority.lower();
        try {
            rehearsal.run();
            Trace.mark("warm");
        } catch (InvalidProblem | RuntimeException e) {
            System.err.println("this standby is not warmed up: " + e);
        }
    }

    /** A block is to be opened: the rehearsal is over, and its block makes room. */
    void end() {
        rehearsal.end();
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void backedUp(BlockRunner runner, int slot, boolean last, BlockState state, long nanos) {
        try {
            BlockState ignored = BlockStateForm.read(BlockStateForm.write(state));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void checkpointed(BlockRunner runner, int slot, long iteration, Optional<BlockState> state, long nanos) {}

    @Override
    public void tested(BlockRunner runner, long iteration, boolean passed, boolean asked) {}

    @Override
    public void elapsed(BlockRunner runner, int phase, boolean passed) {}

    @Override
    public void iterates(BlockRunner runner) {}

    @Override
    public void recorded(BlockRunner runner, RecordedCore core) {}

    @Override
    public void broken(BlockRunner runner, String reason) {}

    @Override
    public void overdue(int from, int to, int step, long iteration) {}

    @Override
    public void stepTaken(BlockRunner runner, int step) {}

    @Override
    public void calm(BlockRunner runner) {}
}

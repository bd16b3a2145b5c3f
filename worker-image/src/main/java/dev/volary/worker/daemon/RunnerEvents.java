// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.worker.compute.BlockRunner;
import dev.volary.worker.compute.BlockState;
import dev.volary.worker.compute.RecordedCore;
import dev.volary.worker.compute.RunnerListener;
import dev.volary.worker.runtime.BackgroundExecutor;
import dev.volary.worker.runtime.StageTracer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Passes what happens to blocks to the daemon's machine, and their copies to the backup store. Called on compute threads; returns
 * at once.
 */
final class RunnerEvents implements RunnerListener {
    private final DaemonEventAdapter events;
    private final BackgroundExecutor background;
    private final BackgroundExecutor backupWriter;
    private final BlockBackups backups;
    private final BackupScheduler backupScheduler;
    private final ProgressSampler sampler;
    private final Consumer<RecordedCore> onRecorded;

    /**
     * @param backupWriter writes backups, which no snapshot waits for
     * @param onRecorded called in the background with the recorded core of a block
     */
    RunnerEvents(
            DaemonEventAdapter events,
            BackgroundExecutor background,
            BackgroundExecutor backupWriter,
            BlockBackups backups,
            BackupScheduler backupScheduler,
            ProgressSampler sampler,
            Consumer<RecordedCore> onRecorded) {
        this.events = events;
        this.background = background;
        this.backupWriter = backupWriter;
        this.backups = backups;
        this.backupScheduler = backupScheduler;
        this.sampler = sampler;
        this.onRecorded = onRecorded;
    }

    @Override
    public void backedUp(BlockRunner runner, int slot, boolean last, BlockState state, long nanos) {
        backupScheduler.copied(nanos, state.bytes());
        backupWriter.run(() -> {
            CompletableFuture<Void> stored = backups.put(runner.id(), runner.incarnation(), state, last);
            runner.recycle(state.core());
            var _ = stored.whenComplete((done, failure) -> {
                if (failure == null) {
                    runner.backupStored(state.iteration());
                }
                StageTracer.mark(failure == null ? "backed-up" : "not-backed-up", runner.id(), state.iteration());
                events.offer(
                        failure == null
                                ? new DaemonEvent.BackedUp(runner.id(), runner.incarnation(), slot, state.iteration())
                                : new DaemonEvent.BackupFailed(
                                        runner.id(), runner.incarnation(), slot, String.valueOf(failure)));
            });
        });
    }

    @Override
    public void firstIterationDone(BlockRunner runner) {
        StageTracer.mark("iterates", runner.id());
        System.err.println("block " + runner.id() + " iterates");
        sampler.sampleSoon(); // others wait for the report
    }

    @Override
    public void checkpointed(BlockRunner runner, int slot, long iteration, Optional<BlockState> state, long nanos) {
        if (state.isEmpty()) {
            events.offer(new DaemonEvent.CheckpointTaken(runner.id(), runner.incarnation(), iteration, false));
            return;
        }
        backupScheduler.copied(nanos, state.get().bytes());
        backupWriter.run(() -> {
            CompletableFuture<Void> stored =
                    backups.putGeneration(slot, runner.id(), runner.incarnation(), state.get());
            runner.recycle(state.get().core());
            var _ = stored.whenComplete((done, failure) -> {
                if (failure == null) {
                    runner.backupStored(iteration);
                }
                events.offer(
                        new DaemonEvent.CheckpointTaken(runner.id(), runner.incarnation(), iteration, failure == null));
            });
        });
    }

    @Override
    public void backupArrivedLate(BlockRunner runner, long iteration, boolean adopted) {
        StageTracer.mark(adopted ? "adopted" : "not-adopted", runner.id(), iteration);
        System.err.printf(
                "block %d %s its backup of iteration %d, which was found late%n",
                runner.id(), adopted ? "continues from" : "is further than", iteration);
    }

    @Override
    public void phaseElapsed(BlockRunner runner, int phase, boolean passed) {
        events.offer(new DaemonEvent.PhaseElapsed(runner.id(), runner.incarnation(), phase, passed));
    }

    @Override
    public void tested(BlockRunner runner, long iteration, boolean passed, boolean asked) {
        events.offer(new DaemonEvent.StepTested(runner.id(), runner.incarnation(), iteration, passed, asked));
    }

    @Override
    public void recorded(BlockRunner runner, RecordedCore core) {
        background.run(() -> onRecorded.accept(core));
    }

    @Override
    public void failed(BlockRunner runner, String reason) {
        events.offer(new DaemonEvent.BlockFailed(runner.id(), runner.incarnation(), reason));
    }

    @Override
    public void haloOverdue(int from, int to, int step, long iteration) {
        events.offer(new DaemonEvent.HaloOverdue(from, to, step, iteration));
    }

    @Override
    public void stepCommitted(BlockRunner runner, int step) {
        events.offer(new DaemonEvent.StepCommitted(runner.id(), runner.incarnation(), step));
    }

    @Override
    public void nearlyConverged(BlockRunner runner) {
        sampler.sampleSoon();
    }
}

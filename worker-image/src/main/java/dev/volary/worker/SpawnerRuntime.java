package dev.volary.worker;

import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.v1.DetectorKind;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.protocol.Action;
import dev.volary.protocol.Event;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Machine;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message.DaemonReport;
import dev.volary.protocol.Scheme;
import dev.volary.protocol.spawner.JobConfig;
import dev.volary.protocol.spawner.Recovery;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.protocol.spawner.SpawnerView;
import dev.volary.protocol.step.StepRecord;
import dev.volary.worker.sink.PartStore;
import dev.volary.worker.sink.ResultAssembler;
import dev.volary.worker.volume.CheckpointVolume;
import dev.volary.zarr.ResultAttributes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a spawner does beyond deciding: as the lead it puts the result together. */
final class SpawnerRuntime implements ActionHandler {
    private final JobDescription job;
    private final OpenedProblem problem;
    private final Inbox inbox;
    private final Optional<CheckpointVolume> volume;
    private final Runnable whenDismissed;
    private final Background background;
    private Optional<SpawnerMachine> machine = Optional.empty();

    /**
     * @param volume where the job's checkpoints are
     * @param whenDismissed called when the other spawners have taken this one for gone
     */
    SpawnerRuntime(
            JobDescription job,
            OpenedProblem problem,
            ParentChannel parent,
            Inbox inbox,
            Optional<CheckpointVolume> volume,
            Runnable whenDismissed) {
        this.volume = volume;
        this.whenDismissed = whenDismissed;
        this.job = job;
        this.problem = problem;
        this.inbox = inbox;
        this.background = new Background(broken -> parent.failure("assembling the result failed: " + broken));
    }

    @Override
    public Machine machine(Member self, JobShape shape) {
        boolean lockStep = LocalCodec.read(job.getScheme()) == Scheme.SYNCHRONOUS;
        Recovery recovery =
                job.getBlockAttempts() == 0 ? Recovery.STANDARD : Recovery.STANDARD.attempting(job.getBlockAttempts());
        JobConfig config = JobConfig.of(
                        job.getExpectedDaemons(),
                        job.getExpectedSpawners(),
                        job.getAbsoluteTolerance(),
                        Duration.ofMillis(job.getFormationMillis()),
                        Optional.of(Duration.ofMillis(job.getDeadlineMillis())).filter(Duration::isPositive),
                        lockStep ? recovery.allOrNothing() : recovery)
                .wanting(JobShapes.daemons(job));
        if (volume.filter(CheckpointVolume::keeps).isPresent()) {
            config = config.keeping();
        }
        boolean verified = job.getDetector() == DetectorKind.DETECTOR_TREE_VERIFICATION;
        machine = Optional.of(new SpawnerMachine(
                self, shape, (verified ? config.verified() : config).withWatch(Watches.of(job)), job.getSeed()));
        return machine.get();
    }

    @Override
    public SpawnerView view() {
        return machine.orElseThrow().view();
    }

    @Override
    public void handle(Action action) {
        switch (action) {
            case Action.AssembleResult assemble -> background.run(() -> assemble(assemble));
            case Action.KeepCheckpoint(StepRecord record) -> {
                Map<Integer, Long> iterations = iterations();
                background.run(() -> keep(record, iterations));
            }
            case Action.ForgetParts(long before) -> background.run(() -> forget(before));
            // Spawners compute nothing, so there is nothing to stop.
            case Action.StopComputing() -> {}
            case Action.StartAnew() -> whenDismissed.run();
            default -> throw new IllegalStateException("a spawner cannot " + action);
        }
    }

    private Map<Integer, Long> iterations() {
        Map<Integer, Long> iterations = new HashMap<>();
        for (DaemonReport report : view().progress()) {
            report.blocks().forEach(block -> iterations.merge(block.block(), block.iteration(), Math::max));
        }
        return iterations;
    }

    private void keep(StepRecord record, Map<Integer, Long> iterations) {
        try {
            volume.orElseThrow().keep(record, iterations, System.currentTimeMillis());
            inbox.offer(new Event.CheckpointKept(record.sid(), record.step(), record.residual()));
        } catch (IOException e) {
            System.err.println("snapshot " + record.sid() + " is no checkpoint: " + e);
            inbox.offer(new Event.CheckpointBroken(record.sid(), String.valueOf(e.getMessage())));
        }
    }

    private void forget(long before) {
        if (volume.filter(CheckpointVolume::keeps).isPresent()) {
            return; // the volume keeps what a checkpoint needs
        }
        try {
            new PartStore(Path.of(job.getResultFolder())).forget(before);
        } catch (IOException e) {
            System.err.println("parts of earlier steps stay in the result folder: " + e);
        }
    }

    private void assemble(Action.AssembleResult order) {
        ResultAttributes attributes = new ResultAttributes(
                job.getName(),
                job.getProblem(),
                order.certified(),
                order.residual() / job.getScale(),
                order.residual(),
                job.getAbsoluteTolerance() / job.getScale(),
                order.sid(),
                order.step(),
                problem.steps());
        try {
            Path folder = Path.of(job.getResultFolder());
            Path parts = volume.flatMap(CheckpointVolume::parts).orElse(folder);
            new ResultAssembler(folder, parts, problem.decomposition(), job.getField())
                    .assemble(order.sid(), order.parts(), attributes.toMap());
            inbox.offer(new Event.ResultAssembled(order.sid()));
        } catch (IOException e) {
            inbox.offer(new Event.AssemblyBroken(String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void close() {
        background.close();
    }
}

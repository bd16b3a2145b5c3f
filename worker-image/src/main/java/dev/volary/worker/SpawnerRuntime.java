// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker;

import dev.volary.mesh.job.ProtocolSettings;
import dev.volary.mesh.v1.HeldPart;
import dev.volary.mesh.v1.HoldPartsRequest;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.PendingResult;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.machine.Machine;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.protocol.message.Stop;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.Tolerance;
import dev.volary.protocol.spawner.SpawnerMachine;
import dev.volary.protocol.spawner.SpawnerView;
import dev.volary.solver.InvalidProblemException;
import dev.volary.storage.BlobStore;
import dev.volary.storage.FolderStore;
import dev.volary.worker.checkpoint.JobCheckpoints;
import dev.volary.worker.checkpoint.StoredCheckpoint;
import dev.volary.worker.result.EitherPlace;
import dev.volary.worker.result.FieldDescription;
import dev.volary.worker.result.FilePartRepository;
import dev.volary.worker.result.MissingPartException;
import dev.volary.worker.result.OutputSteps;
import dev.volary.worker.result.PartFiles;
import dev.volary.worker.result.ResultPublisher;
import dev.volary.worker.result.SpoolFull;
import dev.volary.worker.result.ZarrResultWriter;
import dev.volary.worker.runtime.BackgroundExecutor;
import dev.volary.worker.runtime.HostChannel;
import dev.volary.worker.runtime.OpenedProblem;
import dev.volary.worker.runtime.OtherSpawners;
import dev.volary.worker.runtime.RoleRuntime;
import dev.volary.worker.runtime.SpawnerEventAdapter;
import dev.volary.worker.storage.StoragePatience;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Carries out the actions of a spawner's machine: as the leader it assembles the result and gives another spawner a copy. */
final class SpawnerRuntime implements RoleRuntime<SpawnerEvent, SpawnerTurn> {
    /** Folder of the steps that are kept so far, as users see them while the job runs. */
    private static final String SERIES = ".series";

    private static final String FETCHED = "fetched/";

    private final JobDescription job;
    private final OpenedProblem problem;
    private final HostChannel parent;
    private final SpawnerEventAdapter events;
    private final Optional<JobCheckpoints> volume;
    private final Runnable onEvicted;
    private final BackgroundExecutor background;
    private final Optional<OtherSpawners> others;
    /** Copies take long: nothing else waits for them. */
    private final ExecutorService copying = Executors.newVirtualThreadPerTaskExecutor();

    private Optional<Member> self = Optional.empty();
    private Optional<SpawnerMachine> machine = Optional.empty();
    /** The newest assembled result; used on the control loop only. */
    private Optional<SpawnerAction.AssembleResult> result = Optional.empty();

    /** That this job computes: those before are another job's, which it goes on from. */
    private int firstStep = 1;
    /** Whether the steps that earlier leaders have kept are here; used on the background thread only. */
    private boolean hasTakenOver;

    private boolean ended;

    /**
     * @param volume where the job's checkpoints are
     * @param onEvicted called when the other spawners have evicted this one
     */
    SpawnerRuntime(
            JobDescription job,
            OpenedProblem problem,
            HostChannel parent,
            SpawnerEventAdapter events,
            Optional<JobCheckpoints> volume,
            Runnable onEvicted) {
        this.volume = volume;
        this.onEvicted = onEvicted;
        this.job = job;
        this.problem = problem;
        this.parent = parent;
        this.events = events;
        this.others = parent.otherSpawners();
        this.background = new BackgroundExecutor(broken -> parent.failure("assembling the result failed: " + broken));
    }

    @Override
    public Machine<SpawnerEvent, SpawnerTurn> createMachine(Member own, JobGraph graph) {
        SpawnerConfig config = ProtocolSettings.spawner(job);
        if (volume.filter(JobCheckpoints::savesCheckpoints).isPresent()) {
            config = config.keeping();
        }
        if (problem.model().worksInRounds(problem.decomposition())) {
            config = config.inRounds();
        }
        if (!problem.spawnerResources(job).keepsBackups(Worker.heapBytes())) {
            config = config.withoutBackups();
        }
        SpawnerMachine spawner = new SpawnerMachine(own, graph, config, job.getSeed());
        self = Optional.of(own);
        machine = Optional.of(spawner);
        volume.flatMap(SpawnerRuntime::findCheckpoint).ifPresent(found -> {
            if (found instanceof SpawnerEvent.CheckpointFound(CommittedStep record)) {
                firstStep = record.step() + 1;
            }
            events.offer(found);
        });
        return (event, turn) -> {
            spawner.on(event, turn);
            if (!ended) {
                spawner.end().ifPresent(this::jobEnded);
            }
        };
    }

    /** A copy of the result that this spawner keeps for the leader becomes its own. */
    private void jobEnded(Stop stop) {
        ended = true;
        others.ifPresent(peers -> background.run(() -> peers.jobEnded(stop.reason())));
    }

    @Override
    public SpawnerView view() {
        return machine.orElseThrow().view();
    }

    /** Reads the checkpoint that the job continues from, as an event for the machine. */
    private static Optional<SpawnerEvent> findCheckpoint(JobCheckpoints volume) {
        try {
            return volume.findStart()
                    .map(StoredCheckpoint::record)
                    .filter(record -> record.step() > 0)
                    .map(SpawnerEvent.CheckpointFound::new);
        } catch (InvalidProblemException | IOException e) {
            return Optional.of(new SpawnerEvent.CheckpointRefused(String.valueOf(e.getMessage())));
        }
    }

    @Override
    public SpawnerTurn newTurn(long now) {
        return new SpawnerTurn(now);
    }

    @Override
    public void carryOut(SpawnerTurn turn, Consumer<WorkerAction> shared) {
        turn.actions().forEach(action -> carryOut(action, shared));
    }

    private void carryOut(SpawnerAction action, Consumer<WorkerAction> shared) {
        switch (action) {
            case WorkerAction common -> shared.accept(common);
            case SpawnerAction.ReadArbiter() -> parent.readArbiter();
            case SpawnerAction.CompareAndSet(var expected, var next) -> parent.compareAndSet(expected, next);
            case SpawnerAction.EmitEvent(var event) -> parent.event(event);
            case SpawnerAction.Finish(var outcome) -> parent.finished(outcome);
            case SpawnerAction.AssembleStep(CommittedStep record) -> background.run(() -> assembleStep(record));
            case SpawnerAction.AssembleResult assemble -> {
                result = Optional.of(assemble);
                background.run(() -> assemble(assemble));
            }
            case SpawnerAction.CopyResult(long sid, Member to) -> {
                Optional<SpawnerAction.AssembleResult> assembled = result.filter(order -> order.sid() == sid);
                copying.execute(() -> copyResult(sid, to, assembled));
            }
            case SpawnerAction.PublishResult(long sid) -> copying.execute(() -> publishResult(sid));
            case SpawnerAction.SaveCheckpoint save -> {
                Map<Integer, Long> iterations = iterations();
                background.run(() -> saveCheckpoint(save, iterations));
            }
            case SpawnerAction.HoldParts hold -> copying.execute(() -> holdParts(hold));
            case SpawnerAction.DeleteParts(long before) -> background.run(() -> deleteParts(before));
        }
    }

    @Override
    public void restart() {
        onEvicted.run();
    }

    private Map<Integer, Long> iterations() {
        Map<Integer, Long> iterations = new HashMap<>();
        for (DaemonReport report : view().progress()) {
            report.blocks().forEach(block -> iterations.merge(block.block(), block.iteration(), Math::max));
        }
        return iterations;
    }

    private void saveCheckpoint(SpawnerAction.SaveCheckpoint save, Map<Integer, Long> iterations) {
        CommittedStep record = save.record();
        try {
            volume.orElseThrow().save(record, iterations, System.currentTimeMillis(), save.kept());
            events.offer(new SpawnerEvent.CheckpointSaved(record.sid(), record.step(), record.residual()));
        } catch (IOException e) {
            System.err.println("snapshot " + record.sid() + " is no checkpoint: " + e);
            events.offer(new SpawnerEvent.CheckpointFailed(record.sid(), String.valueOf(e.getMessage())));
        }
    }

    private void deleteParts(long before) {
        if (volume.filter(JobCheckpoints::holdsAllParts).isPresent()) {
            return; // the volume keeps what a checkpoint needs
        }
        others.ifPresent(peers -> peers.deletePartsElsewhere(before));
        try {
            new FilePartRepository(Path.of(job.getResultFolder())).forget(before);
        } catch (IOException e) {
            System.err.println("parts of earlier steps stay in the result folder: " + e);
        }
    }

    private void holdParts(SpawnerAction.HoldParts hold) {
        HoldPartsRequest.Builder parts = HoldPartsRequest.newBuilder().setSid(hold.sid());
        for (StoredPart part : hold.parts()) {
            int block = part.part().block();
            parts.addParts(HeldPart.newBuilder()
                    .setBlock(block)
                    .setCount(problem.decomposition().parts().get(block).core().size())
                    .setChecksum(part.checksum()));
        }
        try {
            OtherSpawners peers =
                    others.orElseThrow(() -> new IOException("all workers of this job see one result folder"));
            peers.holdParts(self.orElseThrow(), hold.by(), parts.build());
            events.offer(new SpawnerEvent.PartsHeld(hold.sid(), hold.by().id()));
        } catch (IOException | RuntimeException e) {
            System.err.println(
                    "%s lacks parts of snapshot %d: %s".formatted(hold.by().name(), hold.sid(), e.getMessage()));
            events.offer(new SpawnerEvent.PartsNotHeld(hold.sid(), hold.by().id(), String.valueOf(e.getMessage())));
        }
    }

    private void assembleStep(CommittedStep record) {
        OutputSteps outputs = outputSteps()
                .orElseThrow(() -> new IllegalStateException("a job without output steps keeps step " + record.step()));
        try {
            outputs.keep(
                    record,
                    into -> resultWriter(into, Optional.empty())
                            .assemble(record.sid(), record.parts(), attributes(record, true, 0)));
        } catch (IOException e) {
            events.offer(new SpawnerEvent.AssemblyFailed("step " + record.step()
                    + ", which spec.result.everySteps keeps, cannot be written: " + e.getMessage()));
            return;
        }
        try {
            Optional<ResultPublisher> publisher = ResultPublisher.of(job);
            if (publisher.isPresent()) {
                publishSteps(record, outputs, publisher.get());
            }
            events.offer(new SpawnerEvent.StepAssembled(record.step()));
        } catch (IOException | RuntimeException e) {
            events.offer(new SpawnerEvent.StepNotKept(record.step(), String.valueOf(e.getMessage())));
        }
    }

    /** Makes the steps that are kept so far durable in the storage that the job names, where they can be read. */
    private void publishSteps(CommittedStep record, OutputSteps outputs, ResultPublisher publisher) throws IOException {
        takeOverSteps(outputs, publisher);
        Path folder = Files.createDirectories(seriesFolder());
        resultWriter(folder, Optional.empty()).assembleSteps(attributes(record, true, 0), record.step(), outputs);
        String ignored = publisher.publishSteps(folder.resolve("result.zarr"));
    }

    /** Fetches the steps that earlier leaders have brought to the storage; once, since later ones are this leader's. */
    private void takeOverSteps(OutputSteps outputs, ResultPublisher publisher) throws IOException {
        if (hasTakenOver) {
            return;
        }
        Path series = seriesFolder().resolve(FETCHED);
        try (BlobStore scratch = new FolderStore(seriesFolder())) {
            scratch.deleteAll(FETCHED);
            Files.createDirectories(series);
            if (publisher.fetchSteps(series, outputs::has)) {
                outputs.takeOver(ZarrGroup.open(series));
            }
            scratch.deleteAll(FETCHED);
        }
        hasTakenOver = true;
    }

    /** Two leaders of a local job may write at the same time: each has a folder of its own. */
    private Path seriesFolder() {
        return Path.of(job.getResultFolder())
                .resolve(SERIES)
                .resolve(Long.toString(ProcessHandle.current().pid()));
    }

    /** The steps that the result has beside the last one; empty if it has no others. */
    private Optional<OutputSteps> outputSteps() {
        int every = job.getOutputEverySteps();
        return problem.model()
                .timeStepping()
                .filter(time -> every > 0)
                .map(time -> new OutputSteps(Path.of(job.getResultFolder()), time, every, firstStep));
    }

    /** @param reached iterations of a block on average, if the vector is not certified */
    private Map<String, Object> attributes(CommittedStep record, boolean certified, long reached) {
        Tolerance tolerance = Tolerance.ofAbsolute(job.getAbsoluteTolerance(), job.getScale());
        return new ResultAttributes(
                        job.getName(),
                        job.getProblem(),
                        certified,
                        tolerance.relative(record.residual()),
                        record.residual(),
                        tolerance.relative(),
                        record.sid(),
                        record.step(),
                        problem.steps(),
                        problem.model().residualNorm().name().toLowerCase(Locale.ROOT),
                        reached)
                .toMap();
    }

    private void assemble(SpawnerAction.AssembleResult order) {
        CommittedStep last = new CommittedStep(order.step(), order.sid(), order.residual(), order.parts());
        Map<String, Object> attributes =
                attributes(last, order.certified(), order.certified() ? 0 : order.iterations());
        try {
            if (others.filter(peers -> peers.hasResult(order.sid())).isEmpty()) {
                ZarrResultWriter writer = resultWriter(Path.of(job.getResultFolder()), removedParts());
                Optional<OutputSteps> outputs = outputSteps();
                Optional<ResultPublisher> publisher = ResultPublisher.of(job);
                if (outputs.isPresent() && publisher.isPresent()) {
                    takeOverPatiently(outputs.get(), publisher.get());
                }
                if (outputs.isPresent()) {
                    writer.assembleSeries(order.sid(), order.parts(), attributes, order.step(), outputs.get());
                } else {
                    writer.assemble(order.sid(), order.parts(), attributes);
                }
            }
            events.offer(new SpawnerEvent.ResultAssembled(order.sid()));
        } catch (MissingPartException e) {
            events.offer(new SpawnerEvent.PartsMissing(order.sid(), String.valueOf(e.getMessage())));
        } catch (IOException e) {
            events.offer(new SpawnerEvent.AssemblyFailed(
                    String.valueOf((others.isPresent() ? SpoolFull.explain(e) : e).getMessage())));
        }
    }

    private void takeOverPatiently(OutputSteps outputs, ResultPublisher publisher) throws IOException {
        try {
            boolean ignored = StoragePatience.wait(() -> {
                takeOverSteps(outputs, publisher);
                return true;
            });
        } catch (InvalidProblemException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Reads parts from the volume or object store if snapshots are kept there; else, or if the store has missed one, from here, and those
     * that are not here from other spawners.
     */
    private ZarrResultWriter resultWriter(Path into, Optional<FilePartRepository> removed) {
        FilePartRepository here = new FilePartRepository(Path.of(job.getResultFolder()));
        PartFiles spools = others.<PartFiles>map(peers -> new FetchedPartFiles(here, peers))
                .orElse(here);
        PartFiles source = volume.flatMap(JobCheckpoints::parts)
                .<PartFiles>map(kept -> volume.get().holdsAllParts() ? kept : new FallbackPartFiles(kept, spools))
                .orElse(spools);
        return new ZarrResultWriter(
                into, source, removed, problem.decomposition(), FieldDescription.of(problem.model()));
    }

    /** Parts that nobody needs once the result is complete. */
    private Optional<FilePartRepository> removedParts() {
        return volume.filter(JobCheckpoints::holdsAllParts).isPresent()
                ? Optional.empty()
                : Optional.of(new FilePartRepository(Path.of(job.getResultFolder())));
    }

    private void copyResult(long sid, Member to, Optional<SpawnerAction.AssembleResult> assembled) {
        try {
            SpawnerAction.AssembleResult order = assembled.orElseThrow(
                    () -> new IOException("the result of snapshot " + sid + " was not assembled here"));
            OtherSpawners peers =
                    others.orElseThrow(() -> new IOException("all workers of this job see one result folder"));
            peers.copyResult(
                    self.orElseThrow(),
                    to,
                    PendingResult.newBuilder()
                            .setSid(sid)
                            .setResidual(order.residual())
                            .setCertified(order.certified())
                            .setIterations(order.iterations())
                            .build());
            peers.deletePartsElsewhere(sid);
            events.offer(new SpawnerEvent.ResultCopied(sid, to.id()));
        } catch (IOException | RuntimeException e) {
            events.offer(new SpawnerEvent.ResultCopyFailed(sid, to.id(), String.valueOf(e.getMessage())));
        }
    }

    private void publishResult(long sid) {
        try {
            ResultPublisher publisher =
                    ResultPublisher.of(job).orElseThrow(() -> new IOException("this job names no storage"));
            Path complete = Path.of(job.getResultFolder()).resolve("result.zarr");
            String location = publisher.publish(complete, sid);
            if (job.getOutputEverySteps() > 0) {
                removeSteps(publisher);
            }
            events.offer(new SpawnerEvent.ResultPublished(sid, location));
        } catch (IOException | RuntimeException e) {
            events.offer(new SpawnerEvent.PublicationFailed(sid, String.valueOf(e.getMessage())));
        }
    }

    private static void removeSteps(ResultPublisher publisher) {
        try {
            publisher.removeSteps();
        } catch (IOException e) {
            System.err.println("the storage of the result keeps the time steps a second time: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        copying.shutdownNow();
        background.close();
    }

    /** Parts in an object store; those that it has missed are elsewhere. */
    private record FallbackPartFiles(PartFiles first, PartFiles second) implements PartFiles {
        @Override
        public FileChannel open(long sid, int block, int count, int checksum) throws IOException {
            return EitherPlace.read(
                    () -> first.open(sid, block, count, checksum), () -> second.open(sid, block, count, checksum));
        }
    }

    /** Parts that are here; those that are not, or are damaged, are copied from another spawner first. */
    private record FetchedPartFiles(FilePartRepository here, OtherSpawners peers) implements PartFiles {
        @Override
        public FileChannel open(long sid, int block, int count, int checksum) throws IOException {
            return EitherPlace.read(() -> here.open(sid, block, count, checksum), () -> {
                peers.fetchPart(sid, block, count, checksum);
                return here.open(sid, block, count, checksum);
            });
        }
    }
}

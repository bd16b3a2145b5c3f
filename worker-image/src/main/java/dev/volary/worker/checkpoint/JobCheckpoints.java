// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.v1.CheckpointManifest;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.protocol.message.SnapshotMessage.StoredPart;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InvalidProblemException;
import dev.volary.storage.StorageRefusedException;
import dev.volary.worker.result.PartRepository;
import dev.volary.worker.storage.DescribedStores;
import dev.volary.worker.storage.StoragePatience;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A worker's view of its job's checkpoints on a volume or in an object store: where parts of snapshots go, which checkpoint blocks start from, and for the
 * leader, the making of checkpoints. All workers of a job arrive at the same epoch: that of the job's own checkpoints, or the next
 * one after those of another job of this name. A job goes on from its own newest checkpoint (it was suspended, or all of its
 * workers were lost), else from the one that it shall restore. Confined to one thread, but for what was opened.
 */
public final class JobCheckpoints implements PartRepository, AutoCloseable {
    private final JobDescription job;
    private final Decomposition decomposition;
    private final int steps;
    private final Optional<CheckpointRepository> own;
    private final Optional<CheckpointRepository> other;
    private final long epoch;
    private Optional<StoredCheckpoint> restored = Optional.empty();

    private JobCheckpoints(JobDescription job, Decomposition decomposition, int steps) throws IOException {
        this.job = job;
        this.decomposition = decomposition;
        this.steps = steps;
        Path scratch = Path.of(job.getResultFolder());
        this.own = job.hasCheckpointStore()
                ? Optional.of(CheckpointRepository.in(DescribedStores.settings(job.getCheckpointStore()), scratch))
                : folder(job.getCheckpointFolder());
        this.other = job.hasRestoreStore()
                ? Optional.of(CheckpointRepository.in(DescribedStores.settings(job.getRestoreStore()), scratch))
                : folder(job.getRestoreFolder());
        Optional<CheckpointManifest> newest = own.isEmpty()
                ? Optional.empty()
                : own.get().list().found().stream().findFirst().map(StoredCheckpoint::manifest);
        this.epoch = newest.map(manifest -> manifest.getEpoch() + (isOwn(manifest) ? 0 : 1))
                .orElse(1L);
    }

    /**
     * Opens the folders or object stores that a job's description names.
     *
     * @return empty if it names none
     * @throws StorageRefusedException if an object store refuses access
     * @throws IOException if the job's own checkpoints cannot be read now
     */
    public static Optional<JobCheckpoints> open(JobDescription job, Decomposition decomposition, int steps)
            throws IOException {
        boolean hasAny = !job.getCheckpointFolder().isEmpty()
                || !job.getRestoreFolder().isEmpty()
                || job.hasCheckpointStore()
                || job.hasRestoreStore();
        return hasAny ? Optional.of(new JobCheckpoints(job, decomposition, steps)) : Optional.empty();
    }

    private static Optional<CheckpointRepository> folder(String name) {
        return name.isEmpty() ? Optional.empty() : Optional.of(CheckpointRepository.in(Path.of(name)));
    }

    private boolean isOwn(CheckpointManifest manifest) {
        return manifest.getUid().equals(job.getUid());
    }

    /** Whether the job saves checkpoints, beside being restored from one. */
    public boolean savesCheckpoints() {
        return own.isPresent();
    }

    /** Whether all parts of snapshots are here: an object store may miss those that it did not take. */
    public boolean holdsAllParts() {
        return savesCheckpoints() && !job.hasCheckpointStore();
    }

    /** This job's parts, if snapshots are kept here. */
    public Optional<CheckpointParts> parts() {
        return own.map(repository -> repository.parts(epoch));
    }

    /**
     * Finds an object store that takes no checkpoints before the job computes.
     *
     * @throws StorageRefusedException if it refuses them and would refuse them again
     * @throws IOException if it cannot be reached now
     */
    public void checkWritable() throws IOException {
        if (job.hasCheckpointStore()) {
            own.orElseThrow().checkWritable("." + job.getUid() + "-write-test");
        }
    }

    /**
     * Finds the checkpoint that blocks start from now; none for a new job. Reads all of its parts, and waits for an object store that
     * cannot be reached.
     *
     * @throws IOException if the volume cannot be read
     * @throws InvalidProblemException if the job shall restore one, and there is none, or only one of another problem; or if all of its
     *     own are damaged
     */
    public Optional<StoredCheckpoint> findStart() throws IOException, InvalidProblemException {
        return job.hasCheckpointStore() || job.hasRestoreStore() ? StoragePatience.wait(this::find) : find();
    }

    private Optional<StoredCheckpoint> find() throws IOException, InvalidProblemException {
        List<String> damaged = new ArrayList<>();
        if (own.isPresent()) {
            List<StoredCheckpoint> ours = own.get().list().found().stream()
                    .filter(kept -> isOwn(kept.manifest()) && difference(kept).isEmpty())
                    .toList();
            Optional<StoredCheckpoint> newest = StoredCheckpoint.newestWhole(ours, restored, decomposition, damaged);
            if (newest.isPresent()) {
                logDamaged(damaged);
                restored = newest;
                return newest;
            }
        }
        if (other.isPresent()) {
            restored = Optional.of(restore(other.get(), damaged));
        } else if (!damaged.isEmpty()) {
            throw new InvalidProblemException(
                    job.hasCheckpointStore() ? "spec.checkpoint.objectStore" : "spec.checkpoint.volume",
                    "leads to " + own.orElseThrow().location() + ", where no checkpoint of this job is whole: "
                            + damaged.getFirst(),
                    "bring its files back, or delete the job and apply it again");
        }
        logDamaged(damaged);
        return restored;
    }

    private static void logDamaged(List<String> damaged) {
        damaged.forEach(fault -> System.err.println("a checkpoint is skipped: " + fault));
    }

    private StoredCheckpoint restore(CheckpointRepository repository, List<String> damaged)
            throws IOException, InvalidProblemException {
        CheckpointRepository.Listing listing = repository.list();
        damaged.addAll(listing.damaged());
        Optional<String> difference = listing.found().stream().findFirst().flatMap(this::difference);
        if (difference.isPresent()) {
            throw new InvalidProblemException(
                    "spec.restoreFrom",
                    "leads to a checkpoint of job "
                            + listing.found().getFirst().manifest().getJob() + " that has " + difference.get(),
                    "restore one of the same problem and blocks, or remove it");
        }
        Optional<StoredCheckpoint> newest =
                StoredCheckpoint.newestWhole(listing.found(), restored, decomposition, damaged);
        if (newest.isEmpty()) {
            throw new InvalidProblemException(
                    "spec.restoreFrom",
                    "leads to " + repository.location() + ", where "
                            + (damaged.isEmpty() ? "no checkpoint is" : "none is whole: " + damaged.getFirst()),
                    job.hasRestoreStore()
                            ? "check its bucket, prefix and job, or remove it"
                            : "check its claim, subPath and job, or remove it");
        }
        return newest.get();
    }

    private Optional<String> difference(StoredCheckpoint kept) {
        return CheckpointCompatibility.difference(kept.manifest(), job, decomposition.unknowns(), steps);
    }

    /**
     * Makes a checkpoint of durable parts. Those that a job has restored from elsewhere are copied first.
     *
     * @param iterations that blocks have completed, as far as known
     * @param kept the snapshot whose parts stay, though no checkpoint needs them
     * @throws IOException naming what is missing or cannot be written; the checkpoints before stay
     */
    public void save(CommittedStep record, Map<Integer, Long> iterations, long nowMillis, OptionalLong kept)
            throws IOException {
        CheckpointRepository repository = own.orElseThrow();
        if (isRestored(record.sid())) {
            copyRestored(record, repository.parts(epoch));
        }
        CheckpointManifest.Builder manifest = CheckpointManifest.newBuilder()
                .setVolaryVersion(job.getVolaryVersion())
                .setNamespace(job.getNamespace())
                .setJob(job.getName())
                .setUid(job.getUid())
                .setEpoch(epoch)
                .setWrittenMillis(nowMillis)
                .setRecord(Shapes.write(record));
        CheckpointCompatibility.write(job, decomposition.unknowns(), steps, manifest);
        for (int block = 0; block < decomposition.blocks(); block++) {
            manifest.addIterations(iterations.getOrDefault(block, 0L));
        }
        repository.save(manifest.build(), decomposition, kept);
    }

    private void copyRestored(CommittedStep record, CheckpointParts parts) throws IOException {
        Set<Integer> present = parts.present(record.sid(), decomposition);
        for (StoredPart part : record.parts()) {
            int block = part.part().block();
            if (!present.contains(block)) {
                int count = decomposition.parts().get(block).core().size();
                parts.copy(restored.orElseThrow().parts(), record.sid(), block, count, part.checksum());
            }
        }
    }

    private boolean isRestored(long sid) {
        return restored.filter(kept -> kept.record().sid() == sid).isPresent();
    }

    /** The repository that daemons store parts in: this one if the job saves checkpoints, else {@code results}, or both. */
    public PartRepository partRepository(PartRepository results) {
        if (!savesCheckpoints()) {
            return new RestoredPartRepository(results, this);
        }
        return holdsAllParts() ? this : new FallbackPartRepository(this, results);
    }

    @Override
    public int store(long sid, int block, double[] values, int count) throws IOException {
        return parts().orElseThrow().store(sid, block, values, count);
    }

    @Override
    public double[] read(long sid, int block, int count, int checksum) throws IOException {
        Optional<CheckpointParts> kept = parts();
        if (kept.isPresent()) {
            try {
                return kept.get().read(sid, block, count, checksum);
            } catch (NoSuchFileException elsewhere) {
                // A part that the job was restored from is with the checkpoint that holds it.
            }
        }
        Optional<StoredCheckpoint> start = restored;
        if (start.isEmpty()) {
            try {
                start = findStart();
            } catch (InvalidProblemException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        if (start.filter(from -> from.record().sid() == sid).isEmpty()) {
            throw new IOException("block %d of snapshot %d is in no checkpoint of this job".formatted(block, sid));
        }
        return start.get().parts().read(sid, block, count, checksum);
    }

    @Override
    public void close() {
        own.ifPresent(CheckpointRepository::close);
        other.ifPresent(CheckpointRepository::close);
    }
}

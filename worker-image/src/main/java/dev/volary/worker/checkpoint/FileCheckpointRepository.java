// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.v1.CheckpointManifest;
import dev.volary.solver.Decomposition;
import dev.volary.worker.result.FilePartRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The checkpoints of one job on a volume: {@code <epoch>/<snapshot>.json} beside {@code <epoch>/.parts}. The newest two are
 * kept; a damaged one is skipped.
 */
final class FileCheckpointRepository implements CheckpointRepository {
    private static final int KEPT = 2;
    private static final String MANIFEST = ".json";

    private final Path folder;

    FileCheckpointRepository(Path folder) {
        this.folder = folder;
    }

    private Path epoch(long epoch) {
        return folder.resolve(Long.toString(epoch));
    }

    @Override
    public FilePartRepository parts(long epoch) {
        return new FilePartRepository(epoch(epoch));
    }

    @Override
    public boolean has(long epoch, long sid, int block, int count) throws IOException {
        return new FilePartRepository(epoch(epoch)).has(sid, block, count);
    }

    @Override
    public Listing list() throws IOException {
        List<StoredCheckpoint> found = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        for (Path epoch : epochs()) {
            for (Path file : children(epoch)) {
                if (file.getFileName().toString().endsWith(MANIFEST)) {
                    try {
                        found.add(StoredCheckpoint.read(file));
                    } catch (IOException e) {
                        damaged.add(String.valueOf(e.getMessage()));
                    }
                }
            }
        }
        found.sort(StoredCheckpoint.BY_AGE.reversed());
        return new Listing(List.copyOf(found), List.copyOf(damaged));
    }

    @Override
    public void save(CheckpointManifest manifest, Decomposition decomposition) throws IOException {
        Path epoch = epoch(manifest.getEpoch());
        FilePartRepository parts = new FilePartRepository(epoch);
        var record = Shapes.read(manifest.getRecord());
        for (int block = 0; block < decomposition.blocks(); block++) {
            int count = decomposition.parts().get(block).core().size();
            if (record.part(block).isEmpty() || !parts.has(record.sid(), block, count)) {
                throw new IOException("block %d of snapshot %d is not in %s; mount the volume in all workers"
                        .formatted(block, record.sid(), epoch));
            }
        }
        CheckpointManifestCodec.force(epoch.resolve(".parts"));
        CheckpointManifestCodec.write(epoch.resolve(record.sid() + MANIFEST), manifest);
        prune(manifest.getEpoch());
    }

    private void prune(long epoch) throws IOException {
        List<StoredCheckpoint> ours = list().found().stream()
                .filter(kept -> kept.manifest().getEpoch() == epoch)
                .toList();
        if (ours.size() < KEPT) {
            return; // the one before may be of an earlier epoch
        }
        for (StoredCheckpoint old : ours.subList(KEPT, ours.size())) {
            Files.deleteIfExists(epoch(epoch).resolve(old.record().sid() + MANIFEST));
        }
        new FilePartRepository(epoch(epoch)).forget(ours.get(KEPT - 1).record().sid());
        for (Path other : epochs()) {
            if (Long.parseLong(other.getFileName().toString()) < epoch) {
                remove(other);
            }
        }
    }

    private List<Path> epochs() throws IOException {
        return children(folder).stream()
                .filter(child -> child.getFileName().toString().matches("\\d{1,18}"))
                .toList();
    }

    private static List<Path> children(Path of) throws IOException {
        if (!Files.isDirectory(of)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(of)) {
            return files.toList();
        }
    }

    private static void remove(Path epoch) throws IOException {
        try (Stream<Path> files = Files.walk(epoch)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

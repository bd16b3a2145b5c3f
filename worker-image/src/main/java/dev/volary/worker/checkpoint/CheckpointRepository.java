// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.v1.CheckpointManifest;
import dev.volary.protocol.message.CommittedStep;
import dev.volary.solver.Decomposition;
import dev.volary.storage.BlobStore;
import dev.volary.storage.BlobStore.Blob;
import dev.volary.storage.FolderStore;
import dev.volary.storage.ObjectStore;
import dev.volary.storage.ObjectStoreSettings;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The checkpoints of one job on storage that outlives its workers: {@code <epoch>/<snapshot>.json} beside {@code <epoch>/.parts/}.
 * A checkpoint is the parts of one snapshot and a manifest, which is written last. Jobs of the same name that write one after the
 * other have an epoch each. The newest two checkpoints are kept; a damaged one is skipped.
 */
final class CheckpointRepository implements AutoCloseable {
    private static final int KEPT = 2;
    private static final String PARTS = ".parts/";
    private static final Pattern MANIFEST = Pattern.compile("(?<epoch>\\d{1,18})/(?<sid>\\d+)[.]json");
    private static final Pattern EPOCH = Pattern.compile("(?<epoch>\\d{1,18})/.*");

    private final BlobStore store;
    private final String location;
    private final Function<String, CheckpointParts> parts;

    private CheckpointRepository(BlobStore store, String location, Function<String, CheckpointParts> parts) {
        this.store = store;
        this.location = location;
        this.parts = parts;
    }

    /** Checkpoints in a folder that all workers see. */
    static CheckpointRepository in(Path folder) {
        return new CheckpointRepository(
                new FolderStore(folder), folder.toString(), epoch -> new VolumeCheckpointParts(folder.resolve(epoch)));
    }

    /**
     * Checkpoints in an object store.
     *
     * @param scratch folder on the local disk
     * @throws IOException if the credentials cannot be read
     */
    static CheckpointRepository in(ObjectStoreSettings settings, Path scratch) throws IOException {
        BlobStore store = ObjectStore.open(settings);
        return new CheckpointRepository(
                store, store.location(""), epoch -> new StoredCheckpointParts(store, epoch + "/" + PARTS, scratch));
    }

    /**
     * What there is, newest first.
     *
     * @param found checkpoints whose manifests are whole
     * @param damaged why others are not
     */
    record Listing(List<StoredCheckpoint> found, List<String> damaged) {}

    /** Where it is, for messages. */
    String location() {
        return location;
    }

    /** As {@link BlobStore#checkWritable}. */
    void checkWritable(String key) throws IOException {
        store.checkWritable(key);
    }

    /** The parts of the snapshots of an epoch. */
    CheckpointParts parts(long epoch) {
        return parts.apply(Long.toString(epoch));
    }

    /** @throws IOException if the storage cannot be read; one without checkpoints is empty */
    Listing list() throws IOException {
        List<StoredCheckpoint> found = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        for (Blob blob : store.list("")) {
            Matcher name = MANIFEST.matcher(blob.key());
            if (name.matches()) {
                try {
                    byte[] text = store.get(blob.key());
                    CheckpointManifest manifest = CheckpointManifestCodec.read(store.location(blob.key()), text);
                    found.add(new StoredCheckpoint(
                            store.location(name.group("epoch")),
                            parts.apply(name.group("epoch")),
                            manifest,
                            Shapes.read(manifest.getRecord())));
                } catch (NoSuchFileException removed) {
                    // The leader has removed it since it was listed.
                } catch (InvalidManifestException e) {
                    damaged.add(String.valueOf(e.getMessage()));
                }
            }
        }
        found.sort(StoredCheckpoint.BY_AGE.reversed());
        return new Listing(List.copyOf(found), List.copyOf(damaged));
    }

    /**
     * Saves a checkpoint of parts that are durable, and removes what is older than the one before.
     *
     * @param kept the snapshot whose parts stay however old they are
     * @throws IOException if a part is not there, or the manifest cannot be written; the checkpoints before stay
     */
    void save(CheckpointManifest manifest, Decomposition decomposition, OptionalLong kept) throws IOException {
        long epoch = manifest.getEpoch();
        CheckpointParts stored = parts(epoch);
        CommittedStep record = Shapes.read(manifest.getRecord());
        Set<Integer> present = stored.present(record.sid(), decomposition);
        for (int block = 0; block < decomposition.blocks(); block++) {
            if (record.part(block).isEmpty() || !present.contains(block)) {
                throw new IOException("block %d of snapshot %d is not in %s; all workers must be able to write there"
                        .formatted(block, record.sid(), store.location(Long.toString(epoch))));
            }
        }
        stored.force();
        store.put(manifest(epoch, record.sid()), CheckpointManifestCodec.write(manifest));
        prune(epoch, kept);
    }

    private static String manifest(long epoch, long sid) {
        return epoch + "/" + sid + ".json";
    }

    private void prune(long epoch, OptionalLong kept) throws IOException {
        List<StoredCheckpoint> ours = list().found().stream()
                .filter(saved -> saved.manifest().getEpoch() == epoch)
                .toList();
        if (ours.size() < KEPT) {
            return; // the one before may be of an earlier epoch
        }
        for (StoredCheckpoint old : ours.subList(KEPT, ours.size())) {
            store.delete(manifest(epoch, old.record().sid()));
        }
        parts(epoch).forget(ours.get(KEPT - 1).record().sid(), kept);
        for (long other : epochs()) {
            if (other < epoch) {
                store.deleteAll(other + "/");
            }
        }
    }

    private List<Long> epochs() throws IOException {
        return store.list("").stream()
                .map(blob -> EPOCH.matcher(blob.key()))
                .filter(Matcher::matches)
                .map(name -> Long.parseLong(name.group("epoch")))
                .distinct()
                .toList();
    }

    @Override
    public void close() {
        store.close();
    }
}

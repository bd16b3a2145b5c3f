// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import dev.volary.mesh.v1.JobDescription;
import dev.volary.storage.BlobStore;
import dev.volary.storage.BlobStore.Blob;
import dev.volary.storage.FolderStore;
import dev.volary.storage.ObjectStore;
import dev.volary.storage.ObjectStoreSettings;
import dev.volary.storage.StorageRefusedException;
import dev.volary.worker.storage.DescribedStores;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Brings complete results to the storage that a job names, outside of its workers: a volume or an object store. The result of
 * a snapshot has a place of its own there, {@code <job>/<snapshot>-<start of the job's UID>/result.zarr}, so that leaders that
 * publish at the same time write the same bytes to the same place, or different bytes to different places. The metadata of the
 * Zarr group is written last: a result that can be opened is complete. Calls block.
 */
public final class ResultPublisher {
    private static final String RESULT = "result.zarr";

    /** Of the Zarr group. */
    private static final String METADATA = "zarr.json";

    private static final int UID_CHARACTERS = 8;
    /** A chunk of a field with time steps: it has two axes or more, unlike the coordinates. */
    private static final Pattern STEP_CHUNK = Pattern.compile("[^/]+/c/(?<index>\\d{1,9})/.*");

    private interface Opening {
        BlobStore open() throws IOException;
    }

    private final Opening store;
    private final String job;
    private final String uid;
    private final Optional<Path> volume;

    private ResultPublisher(Opening store, JobDescription description, Optional<Path> volume) {
        this.store = store;
        this.job = description.getName();
        this.uid = description.getUid();
        this.volume = volume;
    }

    /** For the storage that a job's description names; none if it names none. */
    public static Optional<ResultPublisher> of(JobDescription description) {
        if (description.hasResultStore()) {
            ObjectStoreSettings settings = DescribedStores.settings(description.getResultStore());
            // Opened for each use: the credentials may have been replaced.
            return Optional.of(new ResultPublisher(() -> ObjectStore.open(settings), description, Optional.empty()));
        } else if (!description.getResultVolume().isEmpty()) {
            Path folder = Path.of(description.getResultVolume());
            return Optional.of(new ResultPublisher(() -> new FolderStore(folder), description, Optional.of(folder)));
        }
        return Optional.empty();
    }

    /**
     * Finds wrong credentials and names before the job computes.
     *
     * @throws StorageRefusedException if the storage refuses it and would refuse it again
     * @throws IOException if the storage cannot be reached now
     */
    public void check() throws IOException {
        try (BlobStore open = store.open()) {
            open.checkWritable(job + "/." + uid + "-write-test");
        }
    }

    /**
     * Brings a complete result to the storage; what an interrupted attempt has left there is replaced.
     *
     * @param result folder of the Zarr group
     * @return where users find it
     * @throws IOException naming what could not be stored and why
     */
    public String publish(Path result, long sid) throws IOException {
        String root = root(sid);
        Map<String, Path> files = files(result);
        Map<String, Long> sizes = new HashMap<>();
        try (BlobStore open = store.open()) {
            for (Map.Entry<String, Path> file : files.entrySet()) {
                if (!file.getKey().equals(METADATA)) {
                    open.put(root + file.getKey(), file.getValue());
                }
                sizes.put(root + file.getKey(), Files.size(file.getValue()));
            }
            Path metadata = files.get(METADATA);
            if (metadata == null) {
                throw new IOException(result + " has no " + METADATA);
            }
            open.put(root + METADATA, metadata);
            compare(open.list(root), sizes, open.location(root));
            if (volume.isPresent()) {
                link(volume.get().resolve(job), Path.of(directory(sid), RESULT));
            }
            return location(open, sid);
        }
    }

    /**
     * Brings the time steps that are kept so far to the storage, in a place of the job's own, where they stay until the result is there.
     * The chunks of steps that are there already are not written again, and the metadata of the group is written last.
     *
     * @param series folder of the Zarr group
     * @return where users find it
     * @throws IOException naming what could not be stored and why
     */
    public String publishSteps(Path series) throws IOException {
        String root = stepsRoot();
        try (BlobStore open = store.open()) {
            Map<String, Long> there = new HashMap<>();
            open.list(root).forEach(blob -> there.put(blob.key(), blob.bytes()));
            for (Map.Entry<String, Path> file : files(series).entrySet()) {
                boolean isStepChunk = STEP_CHUNK.matcher(file.getKey()).matches();
                Long bytes = there.get(root + file.getKey());
                if (!isStepChunk || bytes == null || bytes != Files.size(file.getValue())) {
                    open.put(root + file.getKey(), file.getValue());
                }
            }
            if (volume.isPresent()) {
                link(volume.get().resolve(job), Path.of(stepsDirectory(), RESULT));
            }
            return open.location(root.substring(0, root.length() - 1));
        }
    }

    /**
     * Fetches the time steps that are in the storage, as far as they are not here.
     *
     * @param into an empty folder, which becomes a Zarr group without the chunks of steps that are here
     * @param isHere whether a step is here
     * @return whether there are any that were not here
     */
    public boolean fetchSteps(Path into, IntPredicate isHere) throws IOException {
        String root = stepsRoot();
        try (BlobStore open = store.open()) {
            List<String> keys = open.list(root).stream()
                    .map(blob -> blob.key().substring(root.length()))
                    .toList();
            if (!keys.contains(METADATA)) {
                return false;
            }
            for (String key : keys) {
                if (!STEP_CHUNK.matcher(key).matches()) {
                    download(open, root, key, into);
                }
            }
            List<Integer> steps = KeptSteps.of(ZarrGroup.open(into)).steps();
            for (String key : keys) {
                Matcher chunk = STEP_CHUNK.matcher(key);
                int index = chunk.matches() ? Integer.parseInt(chunk.group("index")) : steps.size();
                if (index < steps.size() && !isHere.test(steps.get(index))) {
                    download(open, root, key, into);
                }
            }
            return !steps.stream().allMatch(isHere::test);
        }
    }

    private static void download(BlobStore open, String root, String key, Path into) throws IOException {
        Path target = into.resolve(key);
        Files.createDirectories(target.resolveSibling(""));
        open.download(root + key, target);
    }

    /** Removes the time steps: the result has them. */
    public void removeSteps() throws IOException {
        try (BlobStore open = store.open()) {
            open.deleteAll(stepsRoot());
        }
    }

    private String stepsDirectory() {
        return "steps-" + start(uid);
    }

    private String stepsRoot() {
        return job + "/" + stepsDirectory() + "/" + RESULT + "/";
    }

    /** Where the complete result of a snapshot is in the storage, if it is there. */
    public Optional<String> find(long sid) throws IOException {
        try (BlobStore open = store.open()) {
            boolean isThere = open.list(root(sid) + METADATA).stream()
                    .anyMatch(blob -> blob.key().equals(root(sid) + METADATA));
            return isThere ? Optional.of(location(open, sid)) : Optional.empty();
        }
    }

    private String location(BlobStore open, long sid) {
        return open.location(job + "/" + directory(sid) + "/" + RESULT);
    }

    private String root(long sid) {
        return job + "/" + directory(sid) + "/" + RESULT + "/";
    }

    private String directory(long sid) {
        return sid + "-" + start(uid);
    }

    private static String start(String uid) {
        return uid.substring(0, Math.min(UID_CHARACTERS, uid.length()));
    }

    /** By key below the group, chunks before the metadata of their array. */
    private static Map<String, Path> files(Path result) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> all = Files.walk(result)) {
            all.filter(Files::isRegularFile).forEach(found::add);
        }
        found.sort(Comparator.<Path>comparingInt(Path::getNameCount).reversed().thenComparing(Path::toString));
        Map<String, Path> files = new LinkedHashMap<>();
        found.forEach(file -> files.put(result.relativize(file).toString().replace('\\', '/'), file));
        return files;
    }

    private static void compare(List<Blob> stored, Map<String, Long> wanted, String location) throws IOException {
        Map<String, Long> found = new HashMap<>();
        stored.forEach(blob -> found.put(blob.key(), blob.bytes()));
        found.keySet().retainAll(wanted.keySet());
        if (!found.equals(wanted)) {
            throw new IOException(
                    location + " has %d of %d files after all were stored".formatted(found.size(), wanted.size()));
        }
    }

    /** Lets {@code <job>/result.zarr} on a volume lead to the newest result; a volume without symbolic links has no such name. */
    private static void link(Path folder, Path newest) throws IOException {
        Path temporary = folder.resolve("." + newest.getName(0) + ".link");
        try {
            Files.deleteIfExists(temporary);
            Files.createSymbolicLink(temporary, newest);
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            System.err.println(folder + " gets no link " + RESULT + " to " + newest + ": " + noLinks);
            return;
        }
        Files.move(
                temporary, folder.resolve(RESULT), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

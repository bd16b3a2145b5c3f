// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import com.google.protobuf.ByteString;
import dev.volary.mesh.spawnerapi.ResultDigest;
import dev.volary.mesh.v1.FetchPosition;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchRequest;
import dev.volary.mesh.v1.FetchedFile;
import dev.volary.mesh.v1.Outcome;
import dev.volary.mesh.v1.PendingResult;
import dev.volary.zarr.ResultAttributes;
import dev.volary.zarr.ZarrGroup;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a spawner keeps of its job on disk: the result, how the job ended, and whether the result was fetched. It outlives the
 * container, so that a spawner that starts again after the end does not run the job a second time. A result that was copied from
 * the leader is pending until the job is over. Safe for use by several threads, and by several objects of the same folder.
 */
public final class ResultSpool {
    private static final String RESULT = "result.zarr";
    private static final String OUTCOME = ".outcome";
    private static final String PENDING = ".pending";
    private static final String FETCHED = ".fetched";
    private static final String PUBLISHED = ".published";
    private static final int PIECE_BYTES = 256 << 10;

    /** A file that a caller wants, from an offset on. */
    private record Requested(Path path, long offset) {}

    /** A file of the result as it was read, and what shows that it is still the same. */
    private record Described(FetchedFile file, @Nullable Object key, FileTime modified) {
        boolean isOf(BasicFileAttributes now) {
            return Objects.equals(key, now.fileKey())
                    && modified.equals(now.lastModifiedTime())
                    && file.getBytes() == now.size();
        }
    }

    private final Path folder;
    private final Map<Path, Described> described = new ConcurrentHashMap<>();

    public ResultSpool(Path folder) {
        this.folder = folder;
    }

    /** How the job ended, if it has. */
    public Optional<Outcome> outcome() throws IOException {
        Path file = folder.resolve(OUTCOME);
        return Files.isRegularFile(file) ? Optional.of(Outcome.parseFrom(Files.readAllBytes(file))) : Optional.empty();
    }

    /** Records how the job ended; what is there already stays. */
    public void recordOutcome(Outcome outcome) throws IOException {
        if (outcome().isEmpty()) {
            writeDurably(OUTCOME, outcome.toByteArray());
        }
        Files.deleteIfExists(folder.resolve(PENDING));
    }

    /** Whether a client has made the result durable on its side. */
    public boolean isFetched() {
        return Files.exists(folder.resolve(FETCHED));
    }

    /** Records where the result is outside of the workers. */
    public void recordPublished(String location) throws IOException {
        writeDurably(PUBLISHED, location.getBytes(StandardCharsets.UTF_8));
    }

    /** The result of the ended job that is here, unless a client has it or it is outside of the workers. */
    public Optional<PendingResult> awaited() throws IOException {
        return isReady() && !isFetched() && published().isEmpty()
                ? outcome().map(ResultSpool::asPending)
                : Optional.empty();
    }

    /** The snapshot whose result is here and ended the job; 0 for none. */
    public long readySid() throws IOException {
        long sid = outcome().map(ResultSpool::sid).orElse(0L);
        return hasResult(sid) ? sid : 0;
    }

    /** Where the result is outside of the workers, as far as it is known here. */
    public Optional<String> published() throws IOException {
        try {
            return Optional.of(Files.readString(folder.resolve(PUBLISHED)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /** Where the result is, if there is one. */
    public Path result() {
        return folder.resolve(RESULT);
    }

    /** Whether the whole result of the job is here, and the job is over. */
    public boolean isReady() throws IOException {
        return readySid() != 0;
    }

    /** Whether the whole result of this snapshot is here. */
    public boolean hasResult(long sid) {
        if (sid == 0 || !Files.isDirectory(result())) {
            return false;
        }
        try {
            return ResultAttributes.of(ZarrGroup.open(result()).attributes()).snapshot() == sid;
        } catch (IOException none) {
            return false;
        }
    }

    /** The snapshot whose result ended the job; 0 for none. */
    static long sid(Outcome outcome) {
        return switch (outcome.getOutcomeCase()) {
            case CERTIFIED -> outcome.getCertified().getSid();
            case NOT_CONVERGED -> outcome.getNotConverged().getSid();
            case FAILED, OUTCOME_NOT_SET -> 0;
        };
    }

    /** The result here is a copy of the leader's: it becomes this spawner's own once the job has ended with it. */
    public void keepPending(PendingResult pending) throws IOException {
        writeDurably(PENDING, pending.toByteArray());
    }

    /** The job is over, and this result here is that of the job, whatever this spawner took for the outcome. */
    public void keepFinal(PendingResult result) throws IOException {
        writeDurably(OUTCOME, outcome(result).toByteArray());
        Files.deleteIfExists(folder.resolve(PENDING));
    }

    /** The result that is pending here, if there is one. */
    public Optional<PendingResult> pending() throws IOException {
        try {
            return Optional.of(PendingResult.parseFrom(Files.readAllBytes(folder.resolve(PENDING))));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /**
     * The job is over. A pending result becomes final, unless the job has failed.
     *
     * @param failed the job ended without a result
     */
    public void jobEnded(boolean failed) throws IOException {
        Optional<PendingResult> pending = pending();
        if (pending.isPresent() && !failed && hasResult(pending.get().getSid())) {
            recordOutcome(outcome(pending.get()));
        } else if (pending.isPresent()) {
            Files.deleteIfExists(folder.resolve(PENDING));
        }
    }

    private static Outcome outcome(PendingResult pending) {
        Outcome.Builder outcome = Outcome.newBuilder();
        if (pending.getCertified()) {
            outcome.getCertifiedBuilder().setSid(pending.getSid()).setResidual(pending.getResidual());
        } else {
            outcome.getNotConvergedBuilder()
                    .setSid(pending.getSid())
                    .setResidual(pending.getResidual())
                    .setIterations(pending.getIterations());
        }
        return outcome.build();
    }

    private static PendingResult asPending(Outcome outcome) {
        return outcome.hasCertified()
                ? PendingResult.newBuilder()
                        .setSid(outcome.getCertified().getSid())
                        .setResidual(outcome.getCertified().getResidual())
                        .setCertified(true)
                        .build()
                : PendingResult.newBuilder()
                        .setSid(outcome.getNotConverged().getSid())
                        .setResidual(outcome.getNotConverged().getResidual())
                        .setIterations(outcome.getNotConverged().getIterations())
                        .build();
    }

    /** A pending result of an earlier snapshot than this one is of no use any more. */
    public void forget(long before) throws IOException {
        if (pending().filter(pending -> pending.getSid() < before).isPresent()) {
            Files.deleteIfExists(folder.resolve(PENDING));
        }
    }

    /**
     * Sends the result, file by file, and the digest of what was sent.
     *
     * @param request names the snapshot, or none for the result of a job that is over; and files, or none for all
     * @throws IllegalStateException if there is none, or it has no such file
     */
    public void fetch(FetchRequest request, Consumer<FetchReply> out) throws IOException {
        if (request.getSid() == 0 && outcome().isEmpty()) {
            throw new IllegalStateException("the job is not over here; ask the leader when it is");
        }
        if (request.getSid() == 0 ? !isReady() : !hasResult(request.getSid())) {
            throw new IllegalStateException("there is no result here; ask another spawner, once the job is over");
        }
        List<FetchedFile> sent = new ArrayList<>();
        for (Requested requested : requested(request)) {
            FetchedFile file = describe(requested.path).toBuilder()
                    .setOffset(requested.offset)
                    .build();
            if (requested.offset < 0 || requested.offset > file.getBytes()) {
                throw new IllegalStateException("%s has %d bytes here, none from %d on; fetch it again"
                        .formatted(file.getPath(), file.getBytes(), requested.offset));
            }
            out.accept(FetchReply.newBuilder().setFile(file).build());
            if (!request.getListOnly()) {
                pieces(requested, out);
            }
            sent.add(file);
        }
        out.accept(FetchReply.newBuilder().setDigest(ResultDigest.of(sent)).build());
    }

    private List<Requested> requested(FetchRequest request) throws IOException {
        if (request.getWantedCount() == 0) {
            return files().stream().map(path -> new Requested(path, 0)).toList();
        }
        List<Requested> requested = new ArrayList<>();
        for (FetchPosition wanted : request.getWantedList()) {
            Path path = folder.resolve(wanted.getPath()).normalize();
            if (!path.startsWith(result().normalize()) || !Files.isRegularFile(path)) {
                throw new IllegalStateException(wanted.getPath() + " is no file of the result here; fetch it again");
            }
            requested.add(new Requested(path, wanted.getOffset()));
        }
        return requested;
    }

    /** Identifies the result here. */
    public String digest() throws IOException {
        List<FetchedFile> files = new ArrayList<>();
        for (Path path : files()) {
            files.add(describe(path));
        }
        return ResultDigest.of(files);
    }

    /**
     * A client has made the result durable on its side. May be repeated.
     *
     * @param digest of what it has
     * @throws IllegalStateException if the result here is another one, or there is none
     */
    public void acknowledge(String digest) throws IOException {
        if (!isReady()) {
            throw new IllegalStateException("there is no result here to acknowledge");
        }
        String own = digest();
        if (!own.equals(digest)) {
            throw new IllegalStateException(
                    "the digest is %s, the result here has %s; fetch it again".formatted(digest, own));
        }
        recordFetched();
    }

    /** Records that a client has made the result durable on its side. */
    public void recordFetched() throws IOException {
        writeDurably(FETCHED, new byte[0]);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve(RESULT))) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Reads a file for its checksum, unless that is known: a file of a result never changes. */
    private FetchedFile describe(Path file) throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        Described known = described.get(file);
        if (known == null || !known.isOf(now)) {
            known = new Described(read(file), now.fileKey(), now.lastModifiedTime());
            described.put(file, known);
        }
        return known.file;
    }

    private FetchedFile read(Path file) throws IOException {
        CRC32C checksum = new CRC32C();
        long bytes = 0;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[PIECE_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                checksum.update(buffer, 0, read);
                bytes += read;
            }
        }
        return FetchedFile.newBuilder()
                .setPath(folder.relativize(file).toString().replace('\\', '/'))
                .setBytes(bytes)
                .setChecksum((int) checksum.getValue())
                .build();
    }

    private static void pieces(Requested requested, Consumer<FetchReply> out) throws IOException {
        try (InputStream in = Files.newInputStream(requested.path)) {
            in.skipNBytes(requested.offset);
            for (byte[] piece = in.readNBytes(PIECE_BYTES); piece.length > 0; piece = in.readNBytes(PIECE_BYTES)) {
                out.accept(FetchReply.newBuilder()
                        .setPiece(ByteString.copyFrom(piece))
                        .build());
            }
        }
    }

    private void writeDurably(String name, byte[] content) throws IOException {
        Files.createDirectories(folder);
        Path temporary = Files.createTempFile(folder, name, ".tmp");
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(
                temporary, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}

package dev.volary.worker.pod;

import com.google.protobuf.ByteString;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchedFile;
import dev.volary.mesh.v1.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * What is left of a job on its lead: the result, how it ended, and whether somebody has fetched it. It outlives the container,
 * so that a spawner that starts again after the end does not run the job a second time.
 */
public final class Spool {
    private static final String RESULT = "result.zarr";
    private static final int PIECE_BYTES = 256 << 10;

    private final Path folder;

    public Spool(Path folder) {
        this.folder = folder;
    }

    /** How the job ended, if it has. */
    public Optional<Outcome> outcome() throws IOException {
        Path file = folder.resolve(".outcome");
        return Files.isRegularFile(file) ? Optional.of(Outcome.parseFrom(Files.readAllBytes(file))) : Optional.empty();
    }

    /** Writes down how the job ended; what is there already stays. */
    public void ended(Outcome outcome) throws IOException {
        if (outcome().isEmpty()) {
            mark(".outcome", outcome.toByteArray());
        }
    }

    /** Whether all of the result was sent to somebody. */
    public boolean isFetched() {
        return Files.exists(folder.resolve(".fetched"));
    }

    /** Whether there is a result. */
    public boolean hasResult() {
        return Files.isDirectory(folder.resolve(RESULT));
    }

    /**
     * Says the result, file by file, and marks it as fetched when all has been said.
     *
     * @param listOnly without contents; marks nothing
     * @throws IllegalStateException if there is none
     */
    public void fetch(boolean listOnly, Consumer<FetchReply> out) throws IOException {
        if (!hasResult()) {
            throw new IllegalStateException("there is no result here; ask the lead, once the job is over");
        }
        for (Path file : files()) {
            out.accept(FetchReply.newBuilder().setFile(describe(file)).build());
            if (!listOnly) {
                pieces(file, out);
            }
        }
        if (!listOnly) {
            mark(".fetched", new byte[0]);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve(RESULT))) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private FetchedFile describe(Path file) throws IOException {
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

    private static void pieces(Path file, Consumer<FetchReply> out) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            for (byte[] piece = in.readNBytes(PIECE_BYTES); piece.length > 0; piece = in.readNBytes(PIECE_BYTES)) {
                out.accept(FetchReply.newBuilder()
                        .setPiece(ByteString.copyFrom(piece))
                        .build());
            }
        }
    }

    private void mark(String name, byte[] content) throws IOException {
        Files.createDirectories(folder);
        Path temporary = folder.resolve(name + ".tmp");
        Files.write(temporary, content);
        Files.move(
                temporary, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

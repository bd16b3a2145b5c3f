// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.volary.mesh.v1.CheckpointManifest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.zip.CRC32C;

/** A checkpoint's manifest as a file: JSON, with a checksum of what it says. There whole, or not at all. */
final class CheckpointManifestCodec {
    private static final int VERSION = 1;

    private CheckpointManifestCodec() {}

    /** Writes beside the file, forces to the device, takes the file's name, and makes the name durable too. */
    static void write(Path file, CheckpointManifest manifest) throws IOException {
        CheckpointManifest.Builder whole = manifest.toBuilder().setVersion(VERSION);
        whole.setChecksum(checksum(whole.build()));
        Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
        ByteBuffer bytes = ByteBuffer.wrap(JsonFormat.printer().print(whole).getBytes(StandardCharsets.UTF_8));
        try (FileChannel channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        force(Objects.requireNonNull(file.getParent(), "a manifest is in a folder"));
    }

    /** Makes the names in a folder durable. */
    static void force(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /** @throws IOException if the file is torn, was changed, or is of another version */
    static CheckpointManifest read(Path file) throws IOException {
        CheckpointManifest.Builder manifest = CheckpointManifest.newBuilder();
        try {
            JsonFormat.parser().merge(Files.readString(file), manifest);
        } catch (InvalidProtocolBufferException e) {
            throw new IOException(file + " is no checkpoint's manifest, or not all of it: " + e.getMessage(), e);
        }
        if (manifest.getVersion() != VERSION) {
            throw new IOException("%s has version %d, must have %d; use workers of the version that wrote it, %s"
                    .formatted(file, manifest.getVersion(), VERSION, manifest.getVolaryVersion()));
        }
        int actual = checksum(manifest.build());
        if (actual != manifest.getChecksum()) {
            throw new IOException(
                    "%s has checksum %08x, was written with %08x".formatted(file, actual, manifest.getChecksum()));
        }
        return manifest.build();
    }

    private static int checksum(CheckpointManifest manifest) {
        CheckpointManifest rest = manifest.toBuilder().clearChecksum().build();
        byte[] bytes = new byte[rest.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            rest.writeTo(out);
        } catch (IOException e) {
            throw new IllegalStateException("an array of the right size takes everything", e);
        }
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }
}

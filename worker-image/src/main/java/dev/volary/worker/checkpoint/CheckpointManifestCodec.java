// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.volary.mesh.v1.CheckpointManifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** A checkpoint's manifest as text: JSON, with a checksum of what it says. */
final class CheckpointManifestCodec {
    private static final int VERSION = 1;

    private CheckpointManifestCodec() {}

    /** The text of a manifest, with its version and checksum. */
    static byte[] write(CheckpointManifest manifest) throws IOException {
        CheckpointManifest.Builder whole = manifest.toBuilder().setVersion(VERSION);
        whole.setChecksum(checksum(whole.build()));
        return JsonFormat.printer().print(whole).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a manifest.
     *
     * @param location of the text, for messages
     * @throws InvalidManifestException if the text is torn, was changed, or is of another version
     */
    static CheckpointManifest read(String location, byte[] text) throws InvalidManifestException {
        CheckpointManifest.Builder manifest = CheckpointManifest.newBuilder();
        try {
            JsonFormat.parser().merge(new String(text, StandardCharsets.UTF_8), manifest);
        } catch (InvalidProtocolBufferException e) {
            throw new InvalidManifestException(
                    location + " is no checkpoint's manifest, or not all of it: " + e.getMessage(), e);
        }
        if (manifest.getVersion() != VERSION) {
            throw new InvalidManifestException(
                    "%s has version %d, must have %d; use workers of the version that wrote it, %s"
                            .formatted(location, manifest.getVersion(), VERSION, manifest.getVolaryVersion()),
                    null);
        }
        int actual = checksum(manifest.build());
        if (actual != manifest.getChecksum()) {
            throw new InvalidManifestException(
                    "%s has checksum %08x, was written with %08x".formatted(location, actual, manifest.getChecksum()),
                    null);
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

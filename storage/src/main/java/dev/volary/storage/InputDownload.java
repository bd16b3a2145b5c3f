// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings the files of an input from a store to a folder of this machine. A file is there only if its bytes have the checksum that
 * the manifest gives; a file that is there already is not fetched again. Several processes may fetch into one folder. Calls block.
 *
 * @param field of the manifest, such as {@code spec.inputs[0]}, for messages
 * @param store its keys are the names of the files
 * @param folder created if it does not exist
 */
public record InputDownload(String field, BlobStore store, Path folder) {
    private static final String CHECK_DISK = "free or add disk space, or take a smaller file";

    /**
     * Fetches what is not there yet.
     *
     * @throws InputRefusedException if a file is missing or has another checksum, the store refuses access, or the disk is full
     * @throws IOException if the store cannot be reached now, or the folder cannot be written
     */
    public void fetch(List<InputFile> files) throws IOException {
        for (int i = 0; i < files.size(); i++) {
            InputFile file = files.get(i);
            Path target = folder.resolve(file.name()).normalize();
            if (!target.startsWith(folder.normalize())) {
                throw new IllegalArgumentException(file.name() + " leads out of the input");
            }
            if (!Files.isRegularFile(target) || !sha256(target).equals(file.sha256())) {
                fetch(file, field + ".files[" + i + "]", target);
            }
        }
    }

    private void fetch(InputFile file, String at, Path target) throws IOException {
        Path parent = target.resolveSibling("");
        Files.createDirectories(parent);
        Path temporary = Files.createTempFile(parent, "." + target.getFileName(), ".tmp");
        try (BlobStore.OpenBlob object = store.open(file.name())) {
            requireSpace(object.bytes(), parent, at, file);
            String found = copy(object.content(), temporary, at, file);
            if (!found.equals(file.sha256())) {
                throw new InputRefusedException(
                        at + ".sha256",
                        "is " + file.sha256() + ", but " + store.location(file.name()) + " has " + found,
                        "store the right file there, or correct the checksum",
                        null);
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
            throw new InputRefusedException(
                    at + ".name",
                    "is \"" + file.name() + "\", but there is no " + store.location(file.name()),
                    "store the file there, or correct name, prefix or bucket",
                    e);
        } catch (StorageRefusedException e) {
            throw new InputRefusedException(
                    field + ".objectStore",
                    "names storage that refuses access: " + e.getMessage(),
                    "then start the job again",
                    e);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void requireSpace(long bytes, Path parent, String at, InputFile file) throws IOException {
        long free = Files.getFileStore(parent).getUsableSpace();
        if (bytes > free) {
            throw full(at, file, "has %d bytes, and %s has %d bytes left".formatted(bytes, folder, free), null);
        }
    }

    private String copy(InputStream from, Path to, String at, InputFile file) throws IOException {
        ConnectionErrors source = new ConnectionErrors(from, store.location(file.name()));
        DigestInputStream digested = new DigestInputStream(source, digest());
        try {
            Files.copy(digested, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (ConnectionErrors.Broken | FileSystemException e) {
            throw e;
        } catch (IOException e) {
            // What the kernel says of a full disk or an exceeded quota has no type of its own.
            throw full(at, file, "cannot be written to " + folder + " (" + e.getMessage() + ")", e);
        }
        return HexFormat.of().formatHex(digested.getMessageDigest().digest());
    }

    private InputRefusedException full(String at, InputFile file, String finding, @Nullable IOException cause) {
        return new InputRefusedException(
                at + ".name",
                "is \"" + file.name() + "\", but " + store.location(file.name()) + " " + finding,
                CHECK_DISK,
                cause);
    }

    /** The SHA-256 digest of a file, in lower case hexadecimal digits. */
    private static String sha256(Path file) throws IOException {
        MessageDigest digest = digest();
        try (DigestInputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Tells errors of the connection from those of the disk. */
    private static final class ConnectionErrors extends FilterInputStream {
        private final String location;

        ConnectionErrors(InputStream in, String location) {
            super(in);
            this.location = location;
        }

        /** The connection broke. */
        private static final class Broken extends IOException {
            private static final long serialVersionUID = 1;

            Broken(String location, IOException cause) {
                super(location + " cannot be read to its end: " + cause.getMessage(), cause);
            }
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (IOException e) {
                throw new Broken(location, e);
            }
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            try {
                return super.read(buffer, offset, length);
            } catch (IOException e) {
                throw new Broken(location, e);
            }
        }
    }
}

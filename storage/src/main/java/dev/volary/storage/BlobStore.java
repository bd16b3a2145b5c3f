// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Objects by key. Keys are relative paths with {@code /} as the separator. An object is replaced as a whole: a reader sees the
 * old one or the new one. Safe for use by several threads; calls block.
 */
public interface BlobStore extends AutoCloseable {

    /**
     * An object.
     *
     * @param bytes its size
     */
    record Blob(String key, long bytes) {}

    /**
     * Stores a file, replacing the object of that key. When it returns, the object is durable and complete.
     *
     * @throws StorageRefusedException if the store refuses the request and would refuse it again
     * @throws IOException naming the object, the cause and the remedy
     */
    default void put(String key, Path file) throws IOException {
        put(key, new Content() {
            @Override
            public long bytes() throws IOException {
                return Files.size(file);
            }

            @Override
            public InputStream open() throws IOException {
                return Files.newInputStream(file);
            }
        });
    }

    /**
     * Stores some bytes, as {@link #put(String, Path)} does a file.
     *
     * @throws StorageRefusedException if the store refuses the request and would refuse it again
     * @throws IOException naming the object, the cause and the remedy
     */
    default void put(String key, byte[] content) throws IOException {
        put(key, new Content() {
            @Override
            public long bytes() {
                return content.length;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(content);
            }
        });
    }

    /** Bytes that can be read more than once. */
    interface Content {
        /** How many there are. */
        long bytes() throws IOException;

        /** Reads them from the first one on; the caller closes the stream. */
        InputStream open() throws IOException;
    }

    /**
     * Stores bytes that need not be in memory at once, as {@link #put(String, Path)} does a file. They are read twice or more.
     *
     * @throws StorageRefusedException if the store refuses the request and would refuse it again
     * @throws IOException naming the object, the cause and the remedy
     */
    void put(String key, Content content) throws IOException;

    /**
     * Reads a small object.
     *
     * @throws NoSuchFileException if there is no object of that key
     * @throws IOException naming the object, the cause and the remedy
     */
    default byte[] get(String key) throws IOException {
        try (OpenBlob object = open(key)) {
            return object.content().readAllBytes();
        }
    }

    /**
     * An object that is read.
     *
     * @param bytes its size
     * @param content its bytes; a connection that breaks is an {@link IOException}
     */
    record OpenBlob(long bytes, InputStream content) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            content.close();
        }
    }

    /**
     * Reads an object of any size; the caller closes it.
     *
     * @throws NoSuchFileException if there is no object of that key
     * @throws StorageRefusedException if the store refuses the request and would refuse it again
     * @throws IOException naming the object, the cause and the remedy
     */
    OpenBlob open(String key) throws IOException;

    /**
     * Downloads an object to a file, replacing it.
     *
     * @param target its parent exists
     * @throws NoSuchFileException if there is no object of that key
     * @throws IOException naming the object, the cause and the remedy
     */
    default void download(String key, Path target) throws IOException {
        try (OpenBlob object = open(key)) {
            Files.copy(object.content(), target, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * All objects whose keys start with {@code prefix}, by key.
     *
     * @throws IOException naming the store, the cause and the remedy
     */
    List<Blob> list(String prefix) throws IOException;

    /**
     * Removes an object; one that does not exist is no error.
     *
     * @throws IOException naming the object, the cause and the remedy
     */
    void delete(String key) throws IOException;

    /**
     * Removes all objects whose keys start with {@code folder}.
     *
     * @param folder ends with a {@code /}
     * @throws IOException naming the object, the cause and the remedy
     */
    default void deleteAll(String folder) throws IOException {
        for (Blob object : list(folder)) {
            delete(object.key());
        }
    }

    /**
     * Stores and removes a small object, to find wrong credentials and names early.
     *
     * @param key of the object
     * @throws StorageRefusedException if the store refuses it and would refuse it again
     * @throws IOException if the store cannot be reached now
     */
    default void checkWritable(String key) throws IOException {
        put(key, "Volary checks that it can write here.\n".getBytes(StandardCharsets.UTF_8));
        delete(key);
    }

    /** Where users find an object: a path or a URI. */
    String location(String key);

    @Override
    void close();
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
    void put(String key, Path file) throws IOException;

    /**
     * Stores some bytes, as {@link #put(String, Path)} does a file.
     *
     * @throws StorageRefusedException if the store refuses the request and would refuse it again
     * @throws IOException naming the object, the cause and the remedy
     */
    void put(String key, byte[] content) throws IOException;

    /**
     * Reads a small object.
     *
     * @throws NoSuchFileException if there is no object of that key
     * @throws IOException naming the object, the cause and the remedy
     */
    byte[] get(String key) throws IOException;

    /**
     * Downloads an object to a file, replacing it.
     *
     * @param target its parent exists
     * @throws NoSuchFileException if there is no object of that key
     * @throws IOException naming the object, the cause and the remedy
     */
    void download(String key, Path target) throws IOException;

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

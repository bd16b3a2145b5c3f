// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.mesh.v1.FetchedFile;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;

/** Identifies a result by the names, sizes and checksums of its files: two results with one digest are the same. */
public final class ResultDigest {
    private ResultDigest() {}

    /**
     * SHA-256 in hexadecimal, over the files in the order of their paths.
     *
     * @param files all of them, in any order
     */
    public static String of(Collection<FetchedFile> files) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK lacks SHA-256", e);
        }
        files.stream()
                .sorted(Comparator.comparing(FetchedFile::getPath))
                .map(file -> "%s\t%d\t%08x\n".formatted(file.getPath(), file.getBytes(), file.getChecksum()))
                .forEach(line -> digest.update(line.getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(digest.digest());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A generated file that the repository keeps. */
final class Kept {
    private static final boolean UPDATE = Boolean.getBoolean("volary.generate");

    private Kept() {}

    /**
     * Compares the kept file with what would be generated now; with {@code -Dvolary.generate=true} writes it instead.
     *
     * @param path from the root of the repository
     */
    static void check(String path, String generated) throws IOException {
        Path file = Path.of("../..").resolve(path).normalize();
        if (UPDATE) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, generated);
        }
        String kept = Files.exists(file) ? Files.readString(file) : "";
        assertEquals(
                generated,
                kept,
                path + " is stale; run ./mvnw -pl crds/api -am test -Dvolary.generate=true and commit what changed");
    }
}

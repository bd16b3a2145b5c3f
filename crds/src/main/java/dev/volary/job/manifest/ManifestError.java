// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import java.nio.file.Path;
import java.util.Optional;

/**
 * One thing wrong with a manifest.
 *
 * @param file the manifest
 * @param position where in the file, if that is known
 * @param message the field's path, its value, what is wrong and the remedy
 */
public record ManifestError(Path file, Optional<Position> position, String message) {

    /** One line, as compilers write theirs: {@code heat.yaml:7:14: spec.blocks is 0, must be …; …}. */
    @Override
    public String toString() {
        return file + position.map(p -> ":" + p).orElse("") + ": " + message;
    }
}

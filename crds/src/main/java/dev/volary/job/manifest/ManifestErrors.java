// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collects what is wrong while a manifest is read. */
final class ManifestErrors {
    private final List<Placed> errors = new ArrayList<>();

    private record Placed(Position at, String message) {}

    void add(Position at, String message) {
        errors.add(new Placed(at, message));
    }

    /**
     * @throws ManifestException if anything was added; in the order of the file
     */
    void throwIfAny(Path file) throws ManifestException {
        if (!errors.isEmpty()) {
            throw new ManifestException(errors.stream()
                    .sorted(Comparator.comparing(Placed::at))
                    .map(error -> new ManifestError(file, Optional.of(error.at()), error.message()))
                    .toList());
        }
    }
}

package dev.volary.crd;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collects what is wrong while a manifest is read. */
final class Faults {
    private final Path file;
    private final List<Fault> faults = new ArrayList<>();

    Faults(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    void add(Position at, String message) {
        faults.add(new Fault(file, Optional.of(at), message));
    }

    /**
     * @throws ManifestException if anything was added; in the order of the file
     */
    void throwIfAny() throws ManifestException {
        if (!faults.isEmpty()) {
            faults.sort(Comparator.comparing(
                    f -> f.position().orElseThrow(),
                    Comparator.comparingInt(Position::line).thenComparingInt(Position::column)));
            throw new ManifestException(faults);
        }
    }
}

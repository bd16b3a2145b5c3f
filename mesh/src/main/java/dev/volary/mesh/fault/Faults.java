package dev.volary.mesh.fault;

import java.time.Duration;
import java.util.List;

/** placeholder */
public record Faults(
        Duration delay,
        Duration jitter,
        double loss,
        double duplicate,
        double reorder,
        double bytesPerSecond,
        List<Partition> partitions) {
    /** Nothing is injected. */
    public static final Faults NONE = new Faults(Duration.ZERO, Duration.ZERO, 0, 0, 0, 0, List.of());

    public Faults {
        partitions = List.copyOf(partitions);
    }

    /** Two workers that do not hear each other. */
    public record Partition(String one, String other) {}
}

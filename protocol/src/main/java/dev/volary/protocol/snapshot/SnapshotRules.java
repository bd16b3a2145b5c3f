package dev.volary.protocol.snapshot;

import dev.volary.protocol.PartResidual;
import dev.volary.protocol.Recorded;

/**
 * The three answers on which the soundness theorem of certified snapshots rests (algorithms reference §C.4). There is one set
 * of rules; it is an object so that tests can plant wrong ones and see them caught.
 */
public class SnapshotRules {
    private static final SnapshotRules STANDARD = new SnapshotRules();

    SnapshotRules() {}

    /** The rules. */
    public static SnapshotRules standard() {
        return STANDARD;
    }

    /** Whether a part used exactly what the source recorded. */
    boolean same(Recorded used, Recorded own) {
        return used.equals(own);
    }

    /** Whether the residual, with its rounding bound, is within the tolerance. */
    boolean certified(PartResidual residual, double tolerance) {
        return residual.bound() <= tolerance;
    }

    /** Whether all parts are in the result sink. */
    boolean durable(int stored, int parts) {
        return stored == parts;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.PartialResidual;
import dev.volary.protocol.model.RecordedBlock;

/**
 * The answers on which the soundness theorem of certified snapshots rests (docs/explanation/certification.md, "why it is
 * sound"). There is one set of rules; it is an object so that tests can plant wrong ones and see them caught.
 */
public class SnapshotRules {
    private static final SnapshotRules STANDARD = new SnapshotRules();

    SnapshotRules() {}

    /** The rules. */
    public static SnapshotRules standard() {
        return STANDARD;
    }

    /** Whether a part used exactly what the source recorded. */
    boolean same(RecordedBlock used, RecordedBlock own) {
        return used.equals(own);
    }

    /** Whether the residual, with its rounding bound, is within the tolerance. */
    boolean certified(PartialResidual residual, double tolerance) {
        return residual.bound() <= tolerance;
    }

    /** Whether the incarnation that recorded a part is the one that serves the block. */
    boolean current(Incarnation recorded, Incarnation serving) {
        return recorded.equals(serving);
    }

    /** Whether a snapshot may go on when some of its blocks get other daemons. */
    boolean survives(boolean theirPartsAreDurable) {
        return theirPartsAreDurable;
    }

    /** Whether what was stored is what was evaluated. */
    boolean asEvaluated(long evaluated, long stored) {
        return evaluated == stored;
    }

    /** Whether all parts are in the result sink. */
    boolean durable(int stored, int parts) {
        return stored == parts;
    }
}

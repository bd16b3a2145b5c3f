// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.message;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A time step whose result is decided: the vector that a snapshot certified for it, durable in the result sink. Never
 * changes once it counts.
 *
 * @param step the step, from 1
 * @param sid the snapshot that certified it
 * @param residual certified bound of its absolute residual
 * @param parts where its values are, by block ascending; all of them in the log, those that the receiver needs in a message
 */
public record CommittedStep(int step, long sid, double residual, List<SnapshotMessage.StoredPart> parts) {
    /** Of two records of a step the later snapshot's is newer: a leader that knew the earlier one would not have opened it. */
    public static final Comparator<CommittedStep> ORDER =
            Comparator.comparingInt(CommittedStep::step).thenComparingLong(CommittedStep::sid);

    public CommittedStep {
        parts = List.copyOf(parts);
    }

    /** The part of a block, if it is named. */
    public Optional<SnapshotMessage.StoredPart> part(int block) {
        return parts.stream().filter(part -> part.part().block() == block).findFirst();
    }

    /** This, with the parts of these blocks only. */
    public CommittedStep of(Collection<Integer> blocks) {
        return new CommittedStep(
                step,
                sid,
                residual,
                parts.stream()
                        .filter(part -> blocks.contains(part.part().block()))
                        .toList());
    }

    /** This, with the parts that another record of the same vector names. */
    public CommittedStep and(CommittedStep more) {
        TreeMap<Integer, SnapshotMessage.StoredPart> all = new TreeMap<>();
        parts.forEach(part -> all.put(part.part().block(), part));
        more.parts.forEach(part -> all.put(part.part().block(), part));
        return new CommittedStep(step, sid, residual, List.copyOf(all.values()));
    }

    /** Whether this is of the same step and snapshot: then both name parts of the same vector. */
    public boolean sameVector(CommittedStep other) {
        return step == other.step && sid == other.sid;
    }
}

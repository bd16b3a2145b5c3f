// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.snapshot;

import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.model.RecordedBlock;
import java.util.Comparator;
import java.util.List;

/** One number for all that a group recorded: the leader compares what is stored with what was evaluated. */
final class SnapshotDigest {
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private SnapshotDigest() {}

    /** Of these records, in any order. */
    static long of(List<RecordedBlock> records) {
        long digest = records.size();
        for (RecordedBlock r : records.stream()
                .sorted(Comparator.comparingInt(RecordedBlock::block))
                .toList()) {
            digest = mix(digest, r.block());
            digest = mix(digest, r.incarnation().term().n());
            digest = mix(digest, r.incarnation().term().owner().value());
            digest = mix(digest, r.incarnation().counter());
            digest = mix(digest, r.hash());
        }
        return digest;
    }

    /** Of what these parts hold. */
    static long ofStored(List<SnapshotMessage.StoredPart> parts) {
        return of(parts.stream().map(SnapshotMessage.StoredPart::part).toList());
    }

    private static long mix(long digest, long value) {
        long mixed = (digest ^ value) * MIX;
        return mixed ^ (mixed >>> 32);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup;

import dev.volary.protocol.model.BlockVersion;

/** What became of a write. */
public sealed interface PutOutcome {

    /**
     * The holders that had to acknowledge it have.
     *
     * @param copies how many slots the block has now: the number that acknowledged, if all had to
     */
    record Stored(int copies) implements PutOutcome {}

    /** A newer value was handed over before this one was written; the newer one is written in its place. */
    record Superseded() implements PutOutcome {}

    /**
     * A holder has a newer copy: of a newer incarnation, if this owner has been replaced without knowing.
     *
     * @param newer what the holder has
     */
    record Outdated(BlockVersion newer) implements PutOutcome {}
}

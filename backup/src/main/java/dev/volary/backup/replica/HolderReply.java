// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.protocol.model.BlockVersion;

/** What a holder answers. */
public sealed interface HolderReply {

    /** Done. */
    record Done() implements HolderReply {}

    /** The holder has no such copy, or only a damaged one. */
    record Nothing() implements HolderReply {}

    /** What arrived is damaged. */
    record Damaged() implements HolderReply {}

    /** Version of the copy that is there; to a {@code Store}: a newer one. */
    record Has(BlockVersion version) implements HolderReply {}

    /**
     * A copy as it is kept, not checked.
     *
     * @param bytes header and value; not changed
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost as much as sending it
    record Frame(byte[] bytes) implements HolderReply {}
}

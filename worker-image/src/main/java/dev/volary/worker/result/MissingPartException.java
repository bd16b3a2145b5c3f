// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import java.io.IOException;

/** A recorded part is missing or damaged wherever it was looked for: the result of its snapshot cannot be put together. */
public final class MissingPartException extends IOException {
    private static final long serialVersionUID = 1;

    MissingPartException(long sid, int block, IOException cause) {
        super("block %d of snapshot %d cannot be read: %s".formatted(block, sid, cause.getMessage()), cause);
    }
}

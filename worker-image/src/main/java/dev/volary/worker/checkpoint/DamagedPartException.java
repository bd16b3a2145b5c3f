// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import java.io.IOException;

/** A part of a checkpoint has another length or checksum than its manifest says. */
final class DamagedPartException extends IOException {
    private static final long serialVersionUID = 1;

    DamagedPartException(String message) {
        super(message);
    }
}

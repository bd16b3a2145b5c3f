// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.frame;

/** A frame fails a check; the message names the field, its value and what was expected. */
public final class CorruptFrameException extends Exception {
    private static final long serialVersionUID = 1;

    /** Without a stack trace: a broken line makes many. */
    public CorruptFrameException(String message) {
        super(message, null, false, false);
    }
}

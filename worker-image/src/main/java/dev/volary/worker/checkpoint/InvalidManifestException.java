// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.checkpoint;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The manifest of a checkpoint is torn, was changed, or is of another version. */
final class InvalidManifestException extends IOException {
    private static final long serialVersionUID = 1;

    InvalidManifestException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

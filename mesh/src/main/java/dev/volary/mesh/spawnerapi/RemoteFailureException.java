// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import java.io.IOException;

/** The worker was reached and tried, and could not: its disk is full, say. */
public final class RemoteFailureException extends IOException {
    private static final long serialVersionUID = 1;

    RemoteFailureException(String reason, Throwable cause) {
        super(reason, cause);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import java.io.IOException;

/** The worker was reached, and said no; asking again changes nothing. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String reason, Throwable cause) {
        super(reason, cause);
    }
}

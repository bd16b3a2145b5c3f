// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import java.io.IOException;

/** What arrives cannot be written here, for example because the disk is full: another spawner could not help. */
public final class DownloadWriteException extends IOException {
    private static final long serialVersionUID = 1;

    DownloadWriteException(IOException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}

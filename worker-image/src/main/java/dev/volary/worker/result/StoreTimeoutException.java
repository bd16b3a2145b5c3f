// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import java.io.IOException;

/** Nothing took a part in time, and nothing refused it either: it may be stored later. */
public final class StoreTimeoutException extends IOException {
    private static final long serialVersionUID = 1;

    /** With what a person should read. */
    public StoreTimeoutException(String message, Throwable cause) {
        super(message, cause);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import java.io.IOException;

/** A store refuses a request and would refuse it again: the credentials, the bucket or the address are wrong. */
public final class StorageRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    StorageRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}

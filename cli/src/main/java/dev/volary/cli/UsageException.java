// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli;

/** Something the user gave and can correct; the message names it, its value and the remedy. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}

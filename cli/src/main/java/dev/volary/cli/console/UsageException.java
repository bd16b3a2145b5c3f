// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.console;

/** Input that the user can correct. The message names the option or file, its value and the remedy. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}

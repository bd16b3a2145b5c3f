// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * The problem cannot be opened or cut as asked. The message names the parameter or file, what is wrong with its value, and
 * the remedy.
 */
public final class InvalidProblemException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String subject;

    /**
     * @param subject parameter or file
     * @param fault what is wrong, with the value: {@code "is 0, must be between 1 and 1000"}
     * @param remedy what to do about it
     */
    public InvalidProblemException(String subject, String fault, String remedy) {
        super(subject + " " + fault + "; " + remedy);
        this.subject = subject;
    }

    /** The parameter or file this is about. */
    public String subject() {
        return subject;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.console;

/** The exit codes of {@code volary}, part of its public interface. */
public enum ExitCode {
    CERTIFIED(0, "certified, or done"),
    FAILED(1, "failed"),
    BAD_INPUT(2, "bad input: a manifest, a file or an option is wrong"),
    NOT_CONVERGED(3, "not converged, or deadline exceeded"),
    NO_JDK(4, "no JDK 25 found, or the build failed"),
    INTERRUPTED(130, "interrupted");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /** The exit status of the process. */
    public int code() {
        return code;
    }

    /** The meaning, as {@code --help} prints it. */
    public String meaning() {
        return meaning;
    }
}

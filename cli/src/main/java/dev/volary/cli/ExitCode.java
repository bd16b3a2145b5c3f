// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli;

/** What the command tells its caller. */
public enum ExitCode {
    CERTIFIED(0, "certified, or done"),
    FAILED(1, "failed"),
    BAD_INPUT(2, "bad input: a manifest, a file or an option"),
    NOT_CONVERGED(3, "not converged, or deadline exceeded"),
    NO_JDK(4, "no JDK 25 found, or the build failed"),
    INTERRUPTED(130, "interrupted");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /** The process's exit code. */
    public int code() {
        return code;
    }

    /** What it means, in words. */
    public String meaning() {
        return meaning;
    }
}

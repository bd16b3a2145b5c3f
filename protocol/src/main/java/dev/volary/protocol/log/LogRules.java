// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.log;

/** The rules that make the log safe, one by one, so that tests can plant wrong ones. */
public class LogRules {

    /** Only this package makes rules; the public way is {@link #standard}. */
    LogRules() {}

    /** The rules of docs/explanation/replacement-and-fencing.md, "the replicated log". */
    public static LogRules standard() {
        return new LogRules();
    }

    /** Whether a member that has promised a term takes a write of another one. */
    boolean takes(long writing, long promised) {
        return writing >= promised;
    }

    /** Whether a record counts. */
    boolean counts(int written, int members) {
        return written >= members;
    }
}

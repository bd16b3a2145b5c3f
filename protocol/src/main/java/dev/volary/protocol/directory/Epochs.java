// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

/**
 * An epoch begins with the plan and with each rollback. In the synchronous scheme it is the counter of every block's
 * incarnation, so messages of blocks in one epoch are fenced in the next.
 */
public final class Epochs {
    /** Rollbacks that a leader's term may see. */
    private static final int PER_TERM = 1 << 20;

    private Epochs() {}

    /** The epoch in which the plan of a leader's term begins. Epochs grow from term to term. */
    public static int first(long leaderTerm) {
        return (int) ((leaderTerm - 1) * PER_TERM) + 1;
    }
}

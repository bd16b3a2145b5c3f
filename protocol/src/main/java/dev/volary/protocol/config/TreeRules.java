// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.config;

/**
 * On what the verification tree rests. There is one set of rules; it is an object so that tests can plant wrong ones and see
 * them caught.
 */
public class TreeRules {
    private static final TreeRules STANDARD = new TreeRules();

    public TreeRules() {}

    /** The rules. */
    public static TreeRules standard() {
        return STANDARD;
    }

    /** Whether a block that is served anew makes void what its neighbors have found out. */
    public boolean restartsAfterAReplacement() {
        return true;
    }

    /** Whether who is elected lets everybody verify before it claims anything. */
    public boolean verifies() {
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.convergence;

import dev.volary.protocol.config.TreeRules;

/** Wrong rules of the verification tree, to see what comes of them. */
public final class PlantedTrees {
    private PlantedTrees() {}

    /** Who is elected claims at once that the job has converged. */
    public static TreeRules withoutVerification() {
        return new TreeRules() {
            @Override
            public boolean verifies() {
                return false;
            }
        };
    }

    /** Nobody minds that a neighbor's block has begun anew. */
    public static TreeRules withoutCrashRule() {
        return new TreeRules() {
            @Override
            public boolean restartsAfterAReplacement() {
                return false;
            }
        };
    }
}

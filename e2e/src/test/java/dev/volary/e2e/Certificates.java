// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What must hold of every result, whatever happened to its job. */
final class Certificates {
    private Certificates() {}

    static void check(Fetched result) {
        assertTrue(result.certified() > 0 && result.certified() <= result.tolerance(), result::toString);
        double roundoff = 2 * result.residual().roundoff() + 1e-12 * result.certified();
        assertEquals(result.certified(), result.residual().norm(), roundoff);
    }
}

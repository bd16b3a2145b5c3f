// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.solver.Preflight.Verdict;
import org.junit.jupiter.api.Test;

final class PreflightTest {

    @Test
    void anUpperBoundBelowOneCertifies() {
        assertEquals(Verdict.CERTIFIED, new Preflight(0.5, 0.9, "").verdict());
    }

    @Test
    void aLowerBoundAboveOneRefutes() {
        assertEquals(Verdict.REFUTED, new Preflight(1.2, 1.7, "use larger blocks").verdict());
    }

    @Test
    void boundsAroundOneDecideNothing() {
        assertEquals(Verdict.UNDECIDED, new Preflight(0.9, 1.1, "").verdict());
        assertEquals(Verdict.UNDECIDED, new Preflight(0.9, 1, "").verdict());
        assertEquals(Verdict.UNDECIDED, new Preflight(Double.NaN, Double.NaN, "").verdict());
    }

    @Test
    void iterationsArePredictedFromTheUpperBound() {
        // docs/explanation/problems.md, "heat on a square": Jacobi at n = 64 takes 1971 sweeps for each decade.
        double rate = Math.cos(Math.PI / 65);
        assertEquals(1971, new Preflight(rate, rate, "").predictedIterations(0.1));
    }

    @Test
    void nothingIsPredictedWithoutACertificate() {
        assertEquals(Double.POSITIVE_INFINITY, new Preflight(0.9, 1.1, "").predictedIterations(1e-6));
    }

    @Test
    void aCertificateWithoutARatePredictsNothing() {
        Preflight known = new Preflight(0, Preflight.BELOW_ONE, "");
        assertEquals(Verdict.CERTIFIED, known.verdict());
        assertEquals(Double.POSITIVE_INFINITY, known.predictedIterations(1e-6));
    }
}

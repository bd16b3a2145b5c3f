// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class VectorRowsTest {
    private static final int CALLS_TO_COMPILE = 30_000;

    private static final int MEASURED_CALLS = 1_000;

    /** Also where the processor has no instruction for the maximum of a vector's long values. */
    @Test
    void normsOfRowsAllocateNothing() {
        VectorRows kernel = new VectorRows();
        double[] values = new double[64];
        Arrays.setAll(values, i -> -i);
        double[] zeros = new double[64];
        norms(kernel, values, zeros, CALLS_TO_COMPILE);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertEquals(49, norms(kernel, values, zeros, MEASURED_CALLS));
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < MEASURED_CALLS, () -> allocated + " bytes in " + MEASURED_CALLS + " calls");
    }

    private static double norms(VectorRows kernel, double[] values, double[] zeros, int calls) {
        double largest = 0;
        for (int k = 0; k < calls; k++) {
            largest = kernel.largest(values, 3, 49, largest);
            largest = kernel.largestNatural(zeros, 1, values, zeros, 0, 0, 3, 47, largest);
        }
        return largest;
    }
}

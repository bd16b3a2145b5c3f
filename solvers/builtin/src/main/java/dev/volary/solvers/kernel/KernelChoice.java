// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Chooses the kernel of a block. The system property {@value #PROPERTY} wins: {@code vector}, {@code plain} or {@code auto}.
 * By default the Vector API is used where it pays: the block is large enough that compiling the loops does not matter, the
 * module {@code jdk.incubator.vector} can be used ({@link VectorModule}), and so can the C2 compiler.
 */
public final class KernelChoice {
    /** The property that overrides the choice. */
    public static final String PROPERTY = "volary.kernel";

    /**
     * Below this many unknowns plain loops are used: the block lies in the second-level cache, and until C2 has compiled
     * them vectorized loops are a hundred times slower, which a short job would feel.
     */
    static final long WORTH_VECTORS = 1 << 16;

    private static final int C2 = 4;

    private KernelChoice() {}

    /**
     * The kernel for a block.
     *
     * @param unknowns points of its core
     * @throws IllegalArgumentException as {@link #vectorsPay}
     */
    public static StencilKernel forUnknowns(long unknowns) {
        return vectorsPay(unknowns) ? vector() : new ScalarKernel();
    }

    /**
     * Whether loops over so many unknowns should use the Vector API.
     *
     * @throws IllegalArgumentException if the property has an unknown value, or asks for vectors without the module
     */
    public static boolean vectorsPay(long unknowns) {
        String wanted = System.getProperty(PROPERTY, "auto").toLowerCase(Locale.ROOT);
        return switch (wanted) {
            case "plain" -> false;
            case "vector" -> {
                if (!VectorModule.isLoaded()) {
                    throw new IllegalArgumentException("system property " + PROPERTY + " is vector, but the module "
                            + VectorModule.NAME + " is absent; start Java with --add-modules " + VectorModule.NAME);
                }
                yield true;
            }
            case "auto" -> unknowns >= WORTH_VECTORS && compilesWithC2() && VectorModule.isLoaded();
            default ->
                throw new IllegalArgumentException(
                        "system property " + PROPERTY + " is " + wanted + ", must be auto, vector or plain");
        };
    }

    /** In a method of its own, so that the class is loaded only when it is wanted. */
    private static StencilKernel vector() {
        return new VectorKernel();
    }

    /** Whether hot loops end up with the optimizing compiler: not with -Xint or -XX:TieredStopAtLevel below 4. */
    static boolean compilesWithC2() {
        String mode = System.getProperty("java.vm.info", "");
        if (mode.contains("interpreted") || mode.contains("emulated-client")) {
            return false;
        }
        HotSpotDiagnosticMXBean hotSpot = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return hotSpot != null
                && Integer.parseInt(hotSpot.getVMOption("TieredStopAtLevel").getValue()) >= C2;
    }
}

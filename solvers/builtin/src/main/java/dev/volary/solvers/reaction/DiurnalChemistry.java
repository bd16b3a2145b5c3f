// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

/**
 * The Chapman mechanism of ozone at one moment of the day: c₁ is the oxygen singlet, c₂ ozone, and sunlight drives two of four reactions.
 * With the concentrations in 1/cm³ the rates of change are
 *
 * <pre>
 * R₁ = −q₁ c₁ c₃ − q₂ c₁ c₂ + 2 q₃(t) c₃ + q₄(t) c₂
 * R₂ =  q₁ c₁ c₃ − q₂ c₁ c₂ − q₄(t) c₂
 * </pre>
 *
 * (A. C. Hindmarsh, R. Serban: example programs of CVODE, cvDiurnal_kry). Time 0 is sunrise.
 *
 * @param production 2 q₃ c₃, in 1/(cm³ s)
 * @param photolysis q₄, in 1/s
 */
record DiurnalChemistry(double production, double photolysis) {
    /** q₁ c₃, in 1/s: c₃ is the concentration of oxygen, 3.7e16. */
    static final double CAPTURE = 1.63e-16 * 3.7e16;
    /** q₂, in cm³/s. */
    static final double LOSS = 4.66e-16;

    private static final double OXYGEN = 3.7e16;
    private static final double A3 = 22.62;
    private static final double A4 = 7.601;
    private static final double HALF_DAY = 43_200;

    /** @param seconds since sunrise */
    static DiurnalChemistry at(double seconds) {
        // The same bits on every machine, as all workers must agree about the problem.
        double sun = StrictMath.sin(seconds * (Math.PI / HALF_DAY));
        return sun > 0
                ? new DiurnalChemistry(2 * OXYGEN * StrictMath.exp(-A3 / sun), StrictMath.exp(-A4 / sun))
                : new DiurnalChemistry(0, 0);
    }

    /** R₁. */
    double rate1(double c1, double c2) {
        return production + photolysis * c2 - CAPTURE * c1 - LOSS * c1 * c2;
    }

    /** R₂. */
    double rate2(double c1, double c2) {
        return CAPTURE * c1 - LOSS * c1 * c2 - photolysis * c2;
    }

    /** The sum of the magnitudes of the terms of R₁, of species 0, or R₂, of species 1, for concentrations that are not negative. */
    double terms(int species, double c1, double c2) {
        return (species == 0 ? production : 0) + photolysis * c2 + CAPTURE * c1 + LOSS * c1 * c2;
    }
}

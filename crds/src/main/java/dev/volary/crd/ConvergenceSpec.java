package dev.volary.crd;

/**
 * When the job is done: a snapshot's certified residual is at most the tolerance, in the maximum norm.
 *
 * @param tolerance a positive decimal number, as a string; {@value #DEFAULT_TOLERANCE} if not given
 * @param norm what the tolerance is compared with; {@code Relative} if not given
 * @param detector who says "converged"; {@code Snapshot} if not given
 * @param acceptRisk run even if the pre-flight check finds schedules that diverge
 */
public record ConvergenceSpec(String tolerance, Norm norm, Detector detector, boolean acceptRisk) {
    public static final String DEFAULT_TOLERANCE = "1e-6";

    /** What the tolerance is compared with. */
    public enum Norm {
        /** {@code ‖r‖∞ / scale}, with the scale that the problem documents. */
        Relative,
        /** {@code ‖r‖∞}. */
        Absolute
    }

    /** Who says "converged". */
    public enum Detector {
        /** A recorded vector whose residual is evaluated against exactly that vector. */
        Snapshot,
        /** Blocks that vote in a tree, in a detection and a verification phase; a snapshot certifies what they say. */
        TreeVerification
    }

    /** The tolerance as a number, in the chosen norm. */
    public double toleranceValue() {
        return Double.parseDouble(tolerance);
    }

    static ConvergenceSpec read(Fields in) {
        String tolerance = in.text("tolerance").orElse(DEFAULT_TOLERANCE);
        Norm norm = in.choice("norm", Norm.Relative);
        return new ConvergenceSpec(
                checked(in, tolerance, norm),
                norm,
                in.choice("detector", Detector.Snapshot),
                in.flag("acceptRisk", false));
    }

    private static String checked(Fields in, String text, Norm norm) {
        if (text.isEmpty()) {
            in.fault("tolerance", "is empty; give a positive number, such as \"1e-6\"");
            return DEFAULT_TOLERANCE;
        }
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException notANumber) {
            value = Double.NaN;
        }
        String shown = "is \"" + text + "\", ";
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            in.fault("tolerance", shown + "not a decimal number; write a positive one, such as \"1e-6\"");
        } else if (value <= 0) {
            in.fault("tolerance", shown + "must be positive; raise it, for example to \"1e-6\"");
        } else if (norm == Norm.Relative && value >= 1) {
            in.fault("tolerance", shown + "must be below 1 in the Relative norm; lower it, or set norm: Absolute");
        } else {
            return text;
        }
        return DEFAULT_TOLERANCE;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** When the job is done: a snapshot's certified residual is at most the tolerance, in the norm of the problem. */
@ValidationRule(
        value = "self.norm != 'Relative' || !self.tolerance" + CelRules.DECIMAL + " || double(self.tolerance) < 1.0",
        fieldPath = ".tolerance",
        messageExpression =
                "'spec.convergence.tolerance is \"%s\", must be below 1 in the Relative norm; lower it, or set norm: Absolute'.format([self.tolerance])")
public record ConvergenceSpec(
        @Default("\"1e-6\"")
        @Size(min = 1, max = 32) @JsonPropertyDescription("A positive decimal number, as a string.")
        @ValidationRule(
                value = "self" + CelRules.DECIMAL + " && double(self) > 0.0",
                messageExpression =
                        "'spec.convergence.tolerance is \"%s\", must be a positive decimal number; write it as \"1e-6\"'.format([self])")
        String tolerance,

        @Default("Relative")
        @JsonPropertyDescription(
                "What the tolerance is compared with. Relative: the residual's norm over the scale; the problem"
                        + " documents both. Absolute: the norm itself.")
        Norm norm,

        @Default("Snapshot")
        @JsonPropertyDescription(
                "Who says converged. Snapshot: a recorded vector whose residual is evaluated against exactly"
                        + " that vector."
                        + " TreeVerification: blocks vote in a tree, in a detection and a verification phase, and a snapshot"
                        + " certifies what they say.")
        Detector detector,

        @Default("false") @JsonPropertyDescription("Run even if the pre-flight check finds schedules that diverge.")
        Boolean acceptRisk) {

    public ConvergenceSpec {
        tolerance = Defaults.of(tolerance, ConvergenceSpec.class, "tolerance");
        norm = Defaults.of(norm, ConvergenceSpec.class, "norm");
        detector = Defaults.of(detector, ConvergenceSpec.class, "detector");
        acceptRisk = Defaults.of(acceptRisk, ConvergenceSpec.class, "acceptRisk");
    }

    /** The tolerance as a number, in the chosen norm. */
    public double toleranceValue() {
        return Double.parseDouble(tolerance);
    }

    /** What the tolerance is compared with. */
    public enum Norm {
        /** The residual over the problem's scale. */
        Relative,
        /** The residual itself. */
        Absolute
    }

    /** The convergence detector. */
    public enum Detector {
        /** A recorded vector whose residual is evaluated against exactly that vector. */
        Snapshot,
        /** Blocks that vote in a tree, in a detection and a verification phase; a snapshot certifies what they say. */
        TreeVerification
    }
}

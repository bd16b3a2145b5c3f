// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.Style;
import dev.volary.cli.Units;
import dev.volary.zarr.ResultAttributes;
import java.util.ArrayList;
import java.util.List;

/** Formats the certificate of a result like the summary of a local run. */
final class CertificateText {
    private CertificateText() {}

    static List<String> lines(ResultAttributes result, Style style) {
        List<String> lines = new ArrayList<>();
        lines.add(style.bold(
                result.certified()
                        ? style.green(result.job() + ": certified")
                        : style.red(result.job() + ": not converged")));
        lines.add("  problem             " + result.problem());
        lines.add("  certified residual  " + Units.small(result.certifiedResidual())
                + (result.certifiedResidual() <= result.tolerance() ? " ≤ " : " > ") + Units.small(result.tolerance())
                + " (relative), " + Units.small(result.certifiedResidualAbsolute()) + " absolute, snapshot "
                + result.snapshot());
        if (result.steps() > 0) {
            lines.add("  time steps          " + result.step() + " of " + result.steps());
        }
        return lines;
    }
}

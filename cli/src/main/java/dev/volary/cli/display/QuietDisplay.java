// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.Style;
import java.io.PrintWriter;

/** Prints nothing while the job runs, and the summary only if the job failed. */
final class QuietDisplay implements Display {
    private final PrintWriter err;

    QuietDisplay(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void update(JobView view) {}

    @Override
    public void finish(Summary summary) {
        if (summary.phase() != JobView.Phase.CERTIFIED) {
            summary.lines(Style.PLAIN).forEach(err::println);
        }
        err.flush();
    }

    @Override
    public void close() {
        err.flush();
    }
}

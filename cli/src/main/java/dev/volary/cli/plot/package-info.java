/** Draws pictures of results with Java2D. Start reading at {@link dev.volary.cli.plot.ResultPlot}. */
@NullMarked
package dev.volary.cli.plot;

import org.jspecify.annotations.NullMarked;

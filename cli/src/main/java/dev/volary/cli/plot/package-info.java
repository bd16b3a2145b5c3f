/** Pictures of results, drawn with Java2D. */
@NullMarked
package dev.volary.cli.plot;

import org.jspecify.annotations.NullMarked;

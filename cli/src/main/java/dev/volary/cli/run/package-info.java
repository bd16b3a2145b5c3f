/** Local mode: the parent process starts real workers on loopback, is their arbiter, and shows what they do. */
@NullMarked
package dev.volary.cli.run;

import org.jspecify.annotations.NullMarked;

/** Crashes on purpose: which worker is hit when. */
@NullMarked
package dev.volary.cli.chaos;

import org.jspecify.annotations.NullMarked;

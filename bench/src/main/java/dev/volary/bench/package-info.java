/** Benchmarks as programs: ratios, measured in one run, against a named peer or limit. */
@NullMarked
package dev.volary.bench;

import org.jspecify.annotations.NullMarked;

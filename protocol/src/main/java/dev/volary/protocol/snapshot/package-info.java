/** Certified snapshots (algorithms reference §C.4): the only authority that may say "converged". */
@NullMarked
package dev.volary.protocol.snapshot;

import org.jspecify.annotations.NullMarked;

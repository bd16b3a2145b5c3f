/** Certified snapshots (docs/explanation/certification.md, "the protocol"): the only authority that may say "converged". */
@NullMarked
package dev.volary.protocol.snapshot;

import org.jspecify.annotations.NullMarked;

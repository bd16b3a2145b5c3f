/**
 * When a snapshot is worth trying: triggers, the token chain of the synchronous scheme, and the verification tree of the
 * asynchronous one (docs/explanation/convergence-detection.md). None of them may say "converged": that is for the snapshot.
 */
@NullMarked
package dev.volary.protocol.convergence;

import org.jspecify.annotations.NullMarked;

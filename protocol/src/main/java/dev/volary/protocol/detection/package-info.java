/**
 * Detectors that say when a snapshot is worth trying: the token chain of the synchronous scheme, and the verification tree of
 * the asynchronous one. None of them may say "converged": that is for the snapshot. Pure.
 */
@NullMarked
package dev.volary.protocol.detection;

import org.jspecify.annotations.NullMarked;

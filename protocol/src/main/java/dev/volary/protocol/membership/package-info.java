/**
 * Failure detection (docs/explanation/failure-detection.md): heartbeats along a ring, indirect probes, suspicions, verdicts.
 * Safety never depends on it: a live member that is declared dead is fenced. Start with {@link
 * dev.volary.protocol.membership.FailureDetector}.
 */
@NullMarked
package dev.volary.protocol.membership;

import org.jspecify.annotations.NullMarked;

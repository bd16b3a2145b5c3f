/**
 * Who watches whom, and when somebody is declared dead (docs/explanation/failure-detection.md, "the default strategy",
 * docs/explanation/failure-detection.md, "the default strategy"): heartbeats along a ring, indirect confirmation, verdicts.
 * Safety never depends on it: a live member that is declared dead is fenced.
 */
@NullMarked
package dev.volary.protocol.watch;

import org.jspecify.annotations.NullMarked;

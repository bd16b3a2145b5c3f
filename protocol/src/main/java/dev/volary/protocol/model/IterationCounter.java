// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * How far a block is, as reported by its daemon's heartbeats.
 *
 * @param block the block
 * @param iteration iterations completed
 * @param waiting whether it has reason to stand still: it rests until a halo arrives, waits for its lock step, or is being
 *     opened. A waiting block is never stuck
 */
public record IterationCounter(int block, long iteration, boolean waiting) {}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * A checkpoint that all blocks take after the same iteration, in the synchronous scheme. Two of them are kept at a time.
 *
 * @param slot where its copies lie: 0 or 1
 * @param epoch in which it was taken
 * @param iteration after which it was taken
 */
public record CheckpointGeneration(int slot, int epoch, long iteration) {}

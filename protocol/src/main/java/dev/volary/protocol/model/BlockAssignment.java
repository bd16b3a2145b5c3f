// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * One entry of the directory: who serves a block. Of two entries for a block the higher incarnation holds.
 *
 * @param block the block
 * @param incarnation of this assignment
 * @param daemon the process that serves it
 */
public record BlockAssignment(int block, Incarnation incarnation, Member daemon) {}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

/**
 * One block's share of a decomposition.
 *
 * @param id the block's number, its index in {@link Decomposition#parts()}
 * @param core the unknowns this block owns
 * @param bytes heap its state and data need
 * @param work cost of one iteration, in updates of an unknown
 */
public record Subdomain(int id, Region core, long bytes, double work) {}

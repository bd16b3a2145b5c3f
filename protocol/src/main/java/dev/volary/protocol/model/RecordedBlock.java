// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.model;

/**
 * Names exactly one recorded block of a snapshot's vector.
 *
 * @param block the block
 * @param incarnation that recorded it
 * @param hash 64-bit content hash of the recorded core
 */
public record RecordedBlock(int block, Incarnation incarnation, long hash) {}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup;

import dev.volary.protocol.model.BlockVersion;
import java.nio.ByteBuffer;

/**
 * A sound copy of a block.
 *
 * @param block the block
 * @param version orders the copies of a block
 * @param value as it was handed over; read-only
 */
public record BlockBackup(int block, BlockVersion version, ByteBuffer value) {}

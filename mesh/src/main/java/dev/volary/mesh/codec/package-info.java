// SPDX-License-Identifier: Apache-2.0
/**
 * Converts between the records of the protocols and protobuf messages. Start at {@link dev.volary.mesh.codec.MessageCodec}.
 */
@NullMarked
package dev.volary.mesh.codec;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Streams of byte messages between two workers over gRPC: event loops, mutual authentication, handshake. Nothing here knows what
 * the messages mean. Start at {@link dev.volary.mesh.transport.Transport}.
 */
@NullMarked
package dev.volary.mesh.transport;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Carries the protocols between workers over gRPC with mutual TLS: control messages, reliable and in order, and halos, where the
 * newest wins. Start at {@link dev.volary.mesh.Mesh}.
 *
 * <p>Three kinds of thread meet in the slots of the links: compute threads (begin, publish, take: they never wait), one event loop
 * for bulk data and one for control messages. Callbacks run on the event loops and must not block.
 */
@NullMarked
package dev.volary.mesh;

import org.jspecify.annotations.NullMarked;

/**
 * What carries the protocols: control messages, reliable and in order, and halos, newest wins, between worker processes, over
 * gRPC with mutual TLS. Start at {@link dev.volary.mesh.Mesh}.
 *
 * <p>Three kinds of thread meet here and only at slots: compute threads (begin, publish, take: never wait), one event loop for
 * bulk data and one for control messages. Callbacks run on the event loops and must not block.
 */
@NullMarked
package dev.volary.mesh;

import org.jspecify.annotations.NullMarked;

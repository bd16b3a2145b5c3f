/**
 * Streams of byte messages between two workers over gRPC: transport, mutual authentication, first greeting. Nothing here knows
 * what the messages mean.
 */
@NullMarked
package dev.volary.mesh.wire;

import org.jspecify.annotations.NullMarked;

/** Between the records of the protocol and protobuf messages. */
@NullMarked
package dev.volary.mesh.codec;

import org.jspecify.annotations.NullMarked;

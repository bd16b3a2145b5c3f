/** Reliable control links over connections that break: sequence numbers, cumulative acknowledgements, retransmission. */
@NullMarked
package dev.volary.protocol.link;

import org.jspecify.annotations.NullMarked;

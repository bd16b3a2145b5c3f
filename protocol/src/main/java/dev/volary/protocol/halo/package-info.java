/** Which halo a block may read: ordering by (incarnation, step, iteration), and the lock-step of the synchronous scheme. */
@NullMarked
package dev.volary.protocol.halo;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

/** Supplies the identity that a process presents in its next handshake: a fixed one, or one that is reissued. */
@FunctionalInterface
public interface IdentitySource {
    /** The identity of the next handshake. Always of the same worker and the same authority. */
    Identity current();
}

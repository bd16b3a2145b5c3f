// SPDX-License-Identifier: Apache-2.0
/**
 * Decides which processes may talk to each other: a certificate authority for each run, identities that name job and worker, and
 * the checks of both. Start at {@link dev.volary.mesh.tls.Identity}.
 */
@NullMarked
package dev.volary.mesh.tls;

import org.jspecify.annotations.NullMarked;

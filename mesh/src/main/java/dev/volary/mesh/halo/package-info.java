// SPDX-License-Identifier: Apache-2.0
/**
 * Sends and receives halos: bulk connections between workers, and the slots from which senders take values and in which receivers
 * keep them. Start at {@link dev.volary.mesh.halo.BulkPlane}.
 */
@NullMarked
package dev.volary.mesh.halo;

import org.jspecify.annotations.NullMarked;

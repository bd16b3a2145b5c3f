// SPDX-License-Identifier: Apache-2.0
/**
 * What users of the mesh see of it beside the mesh itself: both ends of a link, their telemetry, the listener for
 * events, and the settings. Start at {@link dev.volary.mesh.link.OutgoingLink} and {@link dev.volary.mesh.link.MeshListener}.
 */
@NullMarked
package dev.volary.mesh.link;

import org.jspecify.annotations.NullMarked;

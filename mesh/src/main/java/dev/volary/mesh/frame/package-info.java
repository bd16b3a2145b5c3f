// SPDX-License-Identifier: Apache-2.0
/**
 * The form in which values are sent and stored: a 64-byte little-endian header, then little-endian doubles. Start at {@link
 * dev.volary.mesh.frame.FrameHeader}.
 */
@NullMarked
package dev.volary.mesh.frame;

import org.jspecify.annotations.NullMarked;

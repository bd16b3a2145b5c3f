/** How values travel and are stored: a 64-byte little-endian header, then little-endian doubles. */
@NullMarked
package dev.volary.mesh.frame;

import org.jspecify.annotations.NullMarked;

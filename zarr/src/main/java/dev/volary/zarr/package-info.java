/**
 * Zarr v3 arrays of doubles in a folder: {@link dev.volary.zarr.ZarrGroup} holds named
 * {@link dev.volary.zarr.ZarrArray}s, which are written and read chunk by chunk. Every chunk carries its CRC-32C.
 *
 * <p>Only what the project writes can be read: float64, a regular chunk grid, the codecs {@code bytes} (little endian) and
 * {@code crc32c}. See docs/decisions/0003-zarr-writer.md.
 */
@NullMarked
package dev.volary.zarr;

import org.jspecify.annotations.NullMarked;

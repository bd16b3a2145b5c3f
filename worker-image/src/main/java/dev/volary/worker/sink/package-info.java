/** Where a job's answer becomes durable: parts with checksums, then one Zarr array. */
@NullMarked
package dev.volary.worker.sink;

import org.jspecify.annotations.NullMarked;

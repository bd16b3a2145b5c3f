@NullMarked
package dev.volary.zarr;

import org.jspecify.annotations.NullMarked;

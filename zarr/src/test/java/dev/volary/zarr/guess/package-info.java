@NullMarked
package dev.volary.zarr.guess;

import org.jspecify.annotations.NullMarked;

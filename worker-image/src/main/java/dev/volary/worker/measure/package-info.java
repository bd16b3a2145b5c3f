// SPDX-License-Identifier: Apache-2.0
/**
 * Measures what one block costs, for {@code volary plan --measure}. A running worker uses nothing of this package. Start at
 * {@link dev.volary.worker.measure.BlockMeasurement}.
 */
@NullMarked
package dev.volary.worker.measure;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Trains AOT caches: each program runs a whole job inside one JVM, so that the classes of all roles are loaded. A running worker
 * uses nothing of this package.
 */
@NullMarked
package dev.volary.worker.training;

import org.jspecify.annotations.NullMarked;

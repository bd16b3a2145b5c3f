// SPDX-License-Identifier: Apache-2.0
/**
 * What a worker does with object stores that its job's description names, beside results and checkpoints: settings, inputs, and
 * waiting for a store. May import {@code dev.volary.storage}, the mesh's messages and the solver API, and no other package of
 * this module. Start at {@link dev.volary.worker.storage.StoredInputs}.
 */
@NullMarked
package dev.volary.worker.storage;

import org.jspecify.annotations.NullMarked;

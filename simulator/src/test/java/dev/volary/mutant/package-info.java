// SPDX-License-Identifier: Apache-2.0
/**
 * Mutants: the product with some lines replaced, to prove that a check can fail. The product has no hooks for them. Start at
 * {@link dev.volary.mutant.Mutant}; the table of mutants is in {@code MutantsTest} of the simulator.
 *
 * <p>Types of this package are shared by a test and by the runs of a mutant. Those of {@code dev.volary.protocol} and {@code
 * dev.volary.simulator} exist once more for each mutant that they must see, so none may appear in a signature here.
 */
@NullMarked
package dev.volary.mutant;

import org.jspecify.annotations.NullMarked;

/**
 * Fields on a grid from the inputs of a job: right-hand sides and coefficients that problems on grids read instead of a rule.
 * Start at {@link dev.volary.solvers.field.GridField}, for example
 *
 * <pre>{@code
 * Optional<GridField> f = GridField.find(values, F, F_FILE, inputs, List.of(n, n, n));
 * double largest = f.get().range().magnitude();   // reads the whole file once
 * double value = f.get().at(7);                   // reads one number
 * }</pre>
 *
 * <p>May import the solver API only.
 */
@NullMarked
package dev.volary.solvers.field;

import org.jspecify.annotations.NullMarked;

/**
 * Cuts the graph of a sparse matrix. {@link dev.volary.solvers.linear.partition.GraphPartition} makes blocks of it, by recursive
 * {@link dev.volary.solvers.linear.partition.Bisection} with boundary refinement;
 * {@link dev.volary.solvers.linear.partition.NestedDissection} orders the unknowns of a block for a factorization with little fill.
 */
@NullMarked
package dev.volary.solvers.linear.partition;

import org.jspecify.annotations.NullMarked;

/** Tests of PageRank. */
@NullMarked
package dev.volary.solvers.pagerank;

import org.jspecify.annotations.NullMarked;

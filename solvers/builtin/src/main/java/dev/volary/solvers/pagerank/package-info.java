/** PageRank of a directed graph, certified in the sum of absolute residuals (docs/explanation/problems.md, "PageRank"). */
@NullMarked
package dev.volary.solvers.pagerank;

import org.jspecify.annotations.NullMarked;

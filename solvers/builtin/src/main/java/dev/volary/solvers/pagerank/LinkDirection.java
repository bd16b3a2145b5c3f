// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

/** Which page an entry of the adjacency matrix links to. */
enum LinkDirection {
    /** Entry (i, j) is a link from page i to page j. */
    RowToColumn,
    /** Entry (i, j) is a link from page j to page i. */
    ColumnToRow
}

// SPDX-License-Identifier: Apache-2.0
/**
 * Is responsible for the tables of two papers, computed again in shape: what crashes cost a job of 252 daemons (JACEP2P-V2), and what
 * the asynchronous scheme gains (GRIDHPC). All workers are simulated, so that a table has as many of them as the paper.
 *
 * <p>May import the simulator, the built-in solvers and the protocols. Start with {@code PapersPage}; {@code bench/run papers FILE}
 * writes the page. Another table is another class like {@code CrashTables}.
 */
@NullMarked
package dev.volary.bench.papers;

import org.jspecify.annotations.NullMarked;

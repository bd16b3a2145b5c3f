/**
 * Checks that a solver author runs on a class of theirs: extend {@link dev.volary.solver.testkit.SolverContract}, say which
 * problem and which parameters, and run the tests. {@link dev.volary.solver.testkit.InProcessSolver} solves a problem in one thread,
 * for tests of its answers.
 */
@NullMarked
package dev.volary.solver.testkit;

import org.jspecify.annotations.NullMarked;

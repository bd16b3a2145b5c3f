/** A whole solver on the simple API, and its test: the place to start from when writing one. */
@NullMarked
package dev.volary.solver.testkit.example;

import org.jspecify.annotations.NullMarked;

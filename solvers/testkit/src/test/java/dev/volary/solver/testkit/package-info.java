@NullMarked
package dev.volary.solver.testkit;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.volary.solvers.multigrid;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.volary.solvers.poisson;

import org.jspecify.annotations.NullMarked;

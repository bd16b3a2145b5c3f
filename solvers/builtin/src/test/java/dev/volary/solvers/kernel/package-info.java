@NullMarked
package dev.volary.solvers.kernel;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.volary.solvers.obstacle;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.volary.solvers.heat;

import org.jspecify.annotations.NullMarked;

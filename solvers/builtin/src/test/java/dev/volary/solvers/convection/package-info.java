@NullMarked
package dev.volary.solvers.convection;

import org.jspecify.annotations.NullMarked;

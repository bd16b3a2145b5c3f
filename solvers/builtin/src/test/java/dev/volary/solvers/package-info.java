/** Tests of what several problems have in common. */
@NullMarked
package dev.volary.solvers;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.volary.solvers.reaction;

import org.jspecify.annotations.NullMarked;

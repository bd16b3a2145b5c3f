@NullMarked
package dev.volary.solver;

import org.jspecify.annotations.NullMarked;

/** Sees, decides, writes the status, acts. */
@NullMarked
package dev.volary.operator.reconcile;

import org.jspecify.annotations.NullMarked;

/** Tests against a real API server. */
@NullMarked
package dev.volary.operator.reconcile;

import org.jspecify.annotations.NullMarked;

/** The operator: what it is configured with, and how it starts and stops. */
@NullMarked
package dev.volary.operator;

import org.jspecify.annotations.NullMarked;

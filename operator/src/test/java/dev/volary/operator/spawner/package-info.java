/** Tests of what spawners say. */
@NullMarked
package dev.volary.operator.spawner;

import org.jspecify.annotations.NullMarked;

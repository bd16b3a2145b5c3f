@NullMarked
package dev.volary.worker.compute;

import org.jspecify.annotations.NullMarked;

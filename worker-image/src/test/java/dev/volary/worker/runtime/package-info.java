@NullMarked
package dev.volary.worker.runtime;

import org.jspecify.annotations.NullMarked;

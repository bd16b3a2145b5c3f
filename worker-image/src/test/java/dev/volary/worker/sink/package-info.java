@NullMarked
package dev.volary.worker.sink;

import org.jspecify.annotations.NullMarked;

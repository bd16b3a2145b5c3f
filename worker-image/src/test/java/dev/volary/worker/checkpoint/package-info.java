@NullMarked
package dev.volary.worker.checkpoint;

import org.jspecify.annotations.NullMarked;

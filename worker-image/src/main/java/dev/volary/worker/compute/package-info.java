/** Compute threads and the blocks they run; nothing here waits for communication in the asynchronous scheme. */
@NullMarked
package dev.volary.worker.compute;

import org.jspecify.annotations.NullMarked;

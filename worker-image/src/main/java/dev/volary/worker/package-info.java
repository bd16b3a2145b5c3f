/**
 * The worker process. One agent thread runs the protocol machine; compute threads run the blocks; one background thread
 * evaluates residuals and writes parts. They meet only in slots and queues.
 */
@NullMarked
package dev.volary.worker;

import org.jspecify.annotations.NullMarked;

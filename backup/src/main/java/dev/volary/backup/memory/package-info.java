/** The store in one process: for tests, and for a job of one worker. */
@NullMarked
package dev.volary.backup.memory;

import org.jspecify.annotations.NullMarked;

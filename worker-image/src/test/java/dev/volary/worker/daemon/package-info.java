@NullMarked
package dev.volary.worker.daemon;

import org.jspecify.annotations.NullMarked;

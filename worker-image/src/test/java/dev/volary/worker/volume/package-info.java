@NullMarked
package dev.volary.worker.volume;

import org.jspecify.annotations.NullMarked;

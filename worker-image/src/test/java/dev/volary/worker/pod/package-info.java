@NullMarked
package dev.volary.worker.pod;

import org.jspecify.annotations.NullMarked;

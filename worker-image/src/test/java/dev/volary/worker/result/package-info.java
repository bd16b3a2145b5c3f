@NullMarked
package dev.volary.worker.result;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.volary.worker.storage;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.volary.checkpoint.memory;

import org.jspecify.annotations.NullMarked;

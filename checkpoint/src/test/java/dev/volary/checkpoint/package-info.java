@NullMarked
package dev.volary.checkpoint;

import org.jspecify.annotations.NullMarked;

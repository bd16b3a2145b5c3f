@NullMarked
package dev.volary.checkpoint.replica;

import org.jspecify.annotations.NullMarked;

/** Tests of a daemon's decisions. */
@NullMarked
package dev.volary.protocol.daemon;

import org.jspecify.annotations.NullMarked;

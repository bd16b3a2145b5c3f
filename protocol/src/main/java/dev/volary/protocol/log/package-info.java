/** The lead's log: written by all of its members, read from any one of them (design §5). */
@NullMarked
package dev.volary.protocol.log;

import org.jspecify.annotations.NullMarked;

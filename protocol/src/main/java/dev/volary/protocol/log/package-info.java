/**
 * The leader's log: written to all of its members, read from any one of them (docs/explanation/replacement-and-fencing.md, "the
 * replicated log").
 */
@NullMarked
package dev.volary.protocol.log;

import org.jspecify.annotations.NullMarked;

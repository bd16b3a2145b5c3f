/** What a daemon decides: registering, opening and starting blocks, greeting neighbors, answering snapshots. */
@NullMarked
package dev.volary.protocol.daemon;

import org.jspecify.annotations.NullMarked;

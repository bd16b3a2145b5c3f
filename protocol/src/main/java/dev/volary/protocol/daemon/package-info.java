/** What a daemon decides: registering, opening and starting blocks, greeting neighbours, answering snapshots. */
@NullMarked
package dev.volary.protocol.daemon;

import org.jspecify.annotations.NullMarked;

/**
 * What a daemon decides: registering, opening and starting blocks, greeting neighbors, answering snapshots. Start with
 * {@link dev.volary.protocol.daemon.DaemonMachine}.
 */
@NullMarked
package dev.volary.protocol.daemon;

import org.jspecify.annotations.NullMarked;

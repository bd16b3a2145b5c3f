/**
 * What a daemon decides: which spawner owns it, which blocks it serves, how each of them opens, starts and ends, and what it
 * answers to the daemons of neighboring blocks. Its parts in snapshots, time steps, rollbacks, convergence detection and failure
 * detection are in the packages of these topics.
 *
 * <p>Start with {@link dev.volary.protocol.daemon.DaemonMachine}: its fields are the parts of a daemon. Example: another daemon
 * serves a block now, and a neighbor sends {@code StaleIncarnation}. {@code NeighborDaemons} receives it, {@code ServedBlocks}
 * has {@code BlockLifecycle} and all other parts drop the block, and reports it to the owner.
 */
@NullMarked
package dev.volary.protocol.daemon;

import org.jspecify.annotations.NullMarked;

/**
 * What a spawner decides: which daemons belong to its group, which blocks they compute, when they are replaced, and when it takes
 * over the blocks of others. A spawner that leads also has the parts in {@code dev.volary.protocol.leader}.
 *
 * <p>Start with {@link dev.volary.protocol.spawner.SpawnerMachine}: its fields are the parts of a spawner. {@code OwnedGroup} has
 * the daemons ({@code GroupMembers}) and the blocks ({@code BlockGroup}), whose fields are the parts of a group. Example: a daemon
 * is declared dead. {@code DaemonLifecycle} evicts it, {@code BlockReassigner} assigns its blocks to other daemons, and {@code
 * ProgressReporter} reports to the leader at once.
 */
@NullMarked
package dev.volary.protocol.spawner;

import org.jspecify.annotations.NullMarked;

/**
 * What a spawner decides for its group: which daemons belong to it, which blocks they compute, when they are replaced. A spawner that
 * leads also has the parts in {@code dev.volary.protocol.leader}. Start with {@link dev.volary.protocol.spawner.SpawnerMachine}.
 */
@NullMarked
package dev.volary.protocol.spawner;

import org.jspecify.annotations.NullMarked;

/**
 * Calls the spawners of a job: {@link dev.volary.operator.spawner.SpawnerClients} polls reports, sends hints and requests
 * snapshots.
 */
@NullMarked
package dev.volary.operator.spawner;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Simulates the spawners of a job that is over, from its end until a client has its result: holders die, are evicted, restarted and
 * cut off from each other, and an operator replaces them. Runs {@link dev.volary.protocol.spawner.ResultKeeper}.
 */
@NullMarked
package dev.volary.simulator.result;

import org.jspecify.annotations.NullMarked;

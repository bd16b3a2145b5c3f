// SPDX-License-Identifier: Apache-2.0
/**
 * Simulates failure detection alone, without a job: groups of processes that monitor each other, in virtual time, under loss,
 * delay, pauses, network partitions, clock drift and crashes. Start at {@link
 * dev.volary.simulator.membership.MembershipSimulation}.
 */
@NullMarked
package dev.volary.simulator.membership;

import org.jspecify.annotations.NullMarked;

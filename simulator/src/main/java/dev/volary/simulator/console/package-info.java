// SPDX-License-Identifier: Apache-2.0
/** Parses the command lines of the simulator's programs, {@code Simulate} and {@code SimulateMembership}. */
@NullMarked
package dev.volary.simulator.console;

import org.jspecify.annotations.NullMarked;

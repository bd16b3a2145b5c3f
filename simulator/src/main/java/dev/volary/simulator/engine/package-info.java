// SPDX-License-Identifier: Apache-2.0
/** Virtual time: events are queued with the time at which they happen and handled one by one, in order. */
@NullMarked
package dev.volary.simulator.engine;

import org.jspecify.annotations.NullMarked;

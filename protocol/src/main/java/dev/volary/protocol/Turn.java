// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

import java.util.ArrayList;
import java.util.List;

/** One call of a machine: its time, the actions that the machine wants done, in order, and its next wake-up. */
public final class Turn {
    private final long now;
    private final List<Action> actions = new ArrayList<>();
    private long wakeUp = Long.MAX_VALUE;

    /** @param now nanoseconds of this worker's clock; never less than in the turn before */
    public Turn(long now) {
        this.now = now;
    }

    /** A turn at the same time whose actions are collected apart: the caller decides what becomes of them. */
    public Turn child() {
        return new Turn(now);
    }

    /** The time of this call, in nanoseconds of this worker's clock. */
    public long now() {
        return now;
    }

    /** Appends an action. */
    public Turn add(Action action) {
        actions.add(action);
        return this;
    }

    /** Appends a send. */
    public Turn send(WorkerId to, Message message) {
        return add(new Action.Send(to, message));
    }

    /** Appends an event for the event log and the display. */
    public Turn emit(JobEvent event) {
        return add(new Action.EmitEvent(event));
    }

    /** Asks for a {@link Event.Tick} no later than {@code nanos}; the earliest of several counts. */
    public Turn wakeAt(long nanos) {
        wakeUp = Math.min(wakeUp, nanos);
        return this;
    }

    /** The actions, in order. */
    public List<Action> actions() {
        return actions;
    }

    /** Latest time of the next tick, in the machine's nanoseconds; {@link Long#MAX_VALUE} if none is needed. */
    public long wakeUp() {
        return wakeUp;
    }
}

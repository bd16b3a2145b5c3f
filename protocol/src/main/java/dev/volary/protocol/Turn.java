// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

import java.util.ArrayList;
import java.util.List;

/** What a machine wants done, in order, and when it wants to be woken at the latest. */
public final class Turn {
    private final List<Action> list = new ArrayList<>();
    private long wakeUp = Long.MAX_VALUE;

    /** Appends an action. */
    public Turn add(Action action) {
        list.add(action);
        return this;
    }

    /** Appends a send. */
    public Turn send(WorkerId to, Message message) {
        return add(new Action.Send(to, message));
    }

    /** Asks for a {@link Event.Tick} no later than {@code nanos}; the earliest of several counts. */
    public Turn wakeAt(long nanos) {
        wakeUp = Math.min(wakeUp, nanos);
        return this;
    }

    /** The actions, in order. */
    public List<Action> list() {
        return list;
    }

    /** Latest time of the next tick, in the machine's nanoseconds; {@link Long#MAX_VALUE} if none is needed. */
    public long wakeUp() {
        return wakeUp;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.WorkerId;
import java.util.List;

/**
 * One call of a machine: its time, the actions that the machine wants done, in order, and its next wake-up. Parts that serve
 * both machines take a {@link Turn}; those of one machine a {@link DaemonTurn} or a {@link SpawnerTurn}.
 */
public abstract sealed class Turn permits DaemonTurn, SpawnerTurn {
    private final long now;
    private long wakeUp = Long.MAX_VALUE;

    /** @param now nanoseconds of this worker's clock; never less than in the turn before */
    Turn(long now) {
        this.now = now;
    }

    /** The time of this call, in nanoseconds of this worker's clock. */
    public final long now() {
        return now;
    }

    /** Appends an action. */
    public abstract void add(WorkerAction action);

    /** The actions, in order. */
    public abstract List<? extends Action> actions();

    /** Appends a send. */
    public final void send(WorkerId to, Message message) {
        add(new WorkerAction.Send(to, message));
    }

    /** Asks for a {@link WorkerEvent.Tick} no later than {@code nanos}; the earliest of several counts. */
    public final void wakeAt(long nanos) {
        wakeUp = Math.min(wakeUp, nanos);
    }

    /** Latest time of the next tick, in the machine's nanoseconds; {@link Long#MAX_VALUE} if none is needed. */
    public final long wakeUp() {
        return wakeUp;
    }
}

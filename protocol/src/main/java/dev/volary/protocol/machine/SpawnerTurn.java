// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import java.util.ArrayList;
import java.util.List;

/** One call of a spawner's machine. */
public final class SpawnerTurn extends Turn {
    private final List<SpawnerAction> actions = new ArrayList<>();

    /** @param now nanoseconds of this worker's clock; never less than in the turn before */
    public SpawnerTurn(long now) {
        super(now);
    }

    /** A turn at the same time whose actions are collected apart: the caller decides what becomes of them. */
    public SpawnerTurn child() {
        return new SpawnerTurn(now());
    }

    @Override
    public void add(WorkerAction action) {
        actions.add(action);
    }

    /** Appends an action. */
    public void add(SpawnerAction action) {
        actions.add(action);
    }

    /** Appends an event for the event log and the display. */
    public void emit(JobEvent event) {
        add(new SpawnerAction.EmitEvent(event));
    }

    @Override
    public List<SpawnerAction> actions() {
        return actions;
    }
}

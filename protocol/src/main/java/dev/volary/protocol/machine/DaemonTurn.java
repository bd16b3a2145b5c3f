// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.machine;

import java.util.ArrayList;
import java.util.List;

/** One call of a daemon's machine. */
public final class DaemonTurn extends Turn {
    private final List<DaemonAction> actions = new ArrayList<>();

    /** @param now nanoseconds of this worker's clock; never less than in the turn before */
    public DaemonTurn(long now) {
        super(now);
    }

    @Override
    public void add(WorkerAction action) {
        actions.add(action);
    }

    /** Appends an action. */
    public void add(DaemonAction action) {
        actions.add(action);
    }

    @Override
    public List<DaemonAction> actions() {
        return actions;
    }
}

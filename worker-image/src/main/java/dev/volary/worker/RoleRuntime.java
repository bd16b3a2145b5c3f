// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker;

import dev.volary.mesh.RecordedHalo;
import dev.volary.protocol.Action;
import dev.volary.protocol.JobGraph;
import dev.volary.protocol.Machine;
import dev.volary.protocol.Member;
import dev.volary.protocol.spawner.SpawnerView;

/** What a role does with the actions of its machine, beyond carrying messages. */
interface RoleRuntime extends AutoCloseable {

    /** The role's machine. */
    Machine machine(Member self, JobGraph shape);

    /** Carries out an action on the loop of the control messages; returns at once. */
    void handle(Action action);

    /** What is known of the job here, on the loop of the control messages; spawners only. */
    default SpawnerView view() {
        throw new IllegalStateException("a daemon knows only its own blocks");
    }

    /** Recorded values arrived; called on an event loop, returns at once. */
    default void recordedHalo(RecordedHalo halo) {}

    @Override
    void close();
}

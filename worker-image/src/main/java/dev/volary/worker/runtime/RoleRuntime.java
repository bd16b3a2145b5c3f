// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import dev.volary.protocol.machine.Machine;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.spawner.SpawnerView;
import java.util.function.Consumer;

/**
 * Carries out the actions of a role's machine, except those that workers of both roles request.
 *
 * @param <E> what happens to the machine
 * @param <T> collects the actions of one call of the machine
 */
public interface RoleRuntime<E, T extends Turn> extends AutoCloseable {

    /** Creates the role's machine; called once. May read the checkpoint volume and start threads of the role. */
    Machine<E, T> createMachine(Member self, JobGraph graph);

    /** The turn of a call of the machine at this time. */
    T newTurn(long now);

    /**
     * Carries out the actions of a turn, in order, on the loop of the control messages; returns at once.
     *
     * @param shared carries out those that workers of both roles request
     */
    void carryOut(T turn, Consumer<WorkerAction> shared);

    /** The others have evicted this worker: ends what it does under its identity. */
    void restart();

    /** What is known of the job here, on the loop of the control messages; spawners only. */
    default SpawnerView view() {
        throw new IllegalStateException("a daemon knows only its own blocks");
    }

    @Override
    void close();
}

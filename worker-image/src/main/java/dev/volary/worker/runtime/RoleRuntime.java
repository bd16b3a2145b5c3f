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
 * What a role does with the actions of its machine, beyond carrying messages.
 *
 * @param <E> what happens to the machine
 * @param <T> what one call of the machine may want done
 */
public interface RoleRuntime<E, T extends Turn> extends AutoCloseable {

    /** The role's machine. */
    Machine<E, T> machine(Member self, JobGraph graph);

    /** A call of the machine at this time. */
    T turn(long now);

    /**
     * Carries out the actions of a turn, in order, on the loop of the control messages; returns at once.
     *
     * @param shared carries out those that workers of both roles want
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

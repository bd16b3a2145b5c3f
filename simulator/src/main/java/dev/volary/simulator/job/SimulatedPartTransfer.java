// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.model.RecordedBlock;
import java.util.List;
import java.util.function.Consumer;

/**
 * Brings parts of a snapshot to a spawner in pieces. A piece that fails is fetched again after a while, from any holder that is left:
 * the transfer goes on where it broke off.
 */
final class SimulatedPartTransfer {
    private static final int PIECES = 4;
    private static final long PIECE_NANOS = 300_000;
    private static final double BREAKS = 0.25;
    private static final long AGAIN_NANOS = 4_000_000;

    private final SimulatedSpawner to;
    private final long sid;
    private final List<RecordedBlock> parts;
    private final Consumer<Boolean> then;
    private int fetched;

    /**
     * @param then gets whether all parts have come
     */
    SimulatedPartTransfer(SimulatedSpawner to, long sid, List<RecordedBlock> parts, Consumer<Boolean> then) {
        this.to = to;
        this.sid = sid;
        this.parts = List.copyOf(parts);
        this.then = then;
    }

    void start() {
        to.later(PIECE_NANOS, this::piece);
    }

    private void piece() {
        if (fetched == PIECES * parts.size()) {
            then.accept(true);
            return;
        }
        to.simulation.faultInjector().fetches(to);
        if (!to.lives()) {
            return;
        }
        boolean isThere = to.simulation
                .sink
                .find(sid, parts.get(fetched / PIECES), holder -> !to.simulation.isCut(holder, to.member.id()))
                .isPresent();
        if (!isThere) {
            then.accept(false);
        } else if (to.simulation.random.nextDouble() < BREAKS) {
            to.later(AGAIN_NANOS, this::piece);
        } else {
            fetched++;
            to.later(PIECE_NANOS, this::piece);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import static dev.volary.protocol.Samples.chain;
import static dev.volary.protocol.Samples.daemon;
import static dev.volary.protocol.Samples.incarnation;
import static dev.volary.protocol.Samples.serves;
import static dev.volary.protocol.Samples.spawner;

import dev.volary.protocol.config.DaemonConfig;
import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.directory.DirectoryFetcher;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.Scheme;
import java.util.List;

/** The parts of daemon 11 in the group of spawner 1, of a job with three blocks in a chain. Daemon 12 serves others. */
final class DaemonParts {
    static final Member OWNER = spawner(1);
    static final Member SELF = daemon(11);
    static final Member NEIGHBOR = daemon(12);
    static final Incarnation FIRST = incarnation(1, 1);
    static final Incarnation SECOND = incarnation(1, 2);
    static final Incarnation THIRD = incarnation(1, 3);
    static final DaemonConfig ASYNCHRONOUS = DaemonConfig.of(Scheme.ASYNCHRONOUS);
    static final DaemonConfig LOCK_STEP = DaemonConfig.of(Scheme.SYNCHRONOUS);

    final BlockDirectory directory = new BlockDirectory();
    final DirectoryFetcher fetcher;
    final IncarnationFence fence;
    final ServedBlocks served;
    final NeighborDaemons neighbors;

    DaemonParts(JobGraph graph, DaemonConfig config) {
        this.fetcher = new DirectoryFetcher(config.retry());
        this.fence = new IncarnationFence(directory, config.retry());
        this.served = new ServedBlocks(SELF.id(), graph, config, directory, fetcher, fence);
        this.neighbors = new NeighborDaemons(SELF.id(), directory, fetcher, served, fence);
    }

    /** In the asynchronous scheme. */
    DaemonParts() {
        this(chain(3), ASYNCHRONOUS);
    }

    /** The owner assigns a block to this daemon. */
    DaemonTurn assign(int block, Incarnation incarnation) {
        DaemonTurn turn = new DaemonTurn(0);
        GroupTerm term = incarnation.term();
        served.assign(
                OWNER.id(), new BlockMessage.Assign(term, List.of(serves(SELF, block, incarnation)), List.of()), turn);
        return turn;
    }

    /** A block of this daemon is open for the first time. */
    DaemonTurn open(int block, Incarnation incarnation, int step) {
        assign(block, incarnation);
        DaemonTurn turn = new DaemonTurn(0);
        served.opened(new DaemonEvent.BlockOpened(block, incarnation, step), turn);
        return turn;
    }

    /** The directory names the daemon that serves a block. */
    DaemonTurn update(Member daemon, int block, Incarnation incarnation) {
        DaemonTurn turn = new DaemonTurn(0);
        served.update(serves(daemon, block, incarnation), turn);
        return turn;
    }
}

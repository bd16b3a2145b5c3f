// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.daemon;

import dev.volary.protocol.directory.BlockDirectory;
import dev.volary.protocol.directory.DirectoryFetcher;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.WorkerId;
import java.util.List;
import java.util.Optional;

/**
 * Answers the daemons of neighboring blocks, and asks them: for the first halo, when a block greets, and for a lost one in the
 * synchronous scheme, where a block waits for exactly that halo. Of two daemons in contact, the one that knows a newer
 * assignment of a block sends it, so that places are found and stale incarnations end while the owner is dead.
 */
final class NeighborDaemons {
    private final WorkerId self;
    private final BlockDirectory directory;
    private final DirectoryFetcher fetcher;
    private final ServedBlocks served;
    private final BlockLifecycle blocks;
    private final IncarnationFence fence;

    NeighborDaemons(
            WorkerId self,
            BlockDirectory directory,
            DirectoryFetcher fetcher,
            ServedBlocks served,
            IncarnationFence fence) {
        this.self = self;
        this.directory = directory;
        this.fetcher = fetcher;
        this.served = served;
        this.blocks = served.lifecycle();
        this.fence = fence;
    }

    /**
     * Takes a message from the daemon of a neighboring block.
     *
     * @param owner of this daemon
     */
    void received(WorkerId from, BlockMessage.Neighbor message, Optional<WorkerId> owner, DaemonTurn turn) {
        switch (message) {
            case BlockMessage.BlockHello hello -> greeted(from, hello, turn);
            case BlockMessage.BlockMoved moved -> served.update(moved.entry(), turn);
            case BlockMessage.StaleIncarnation stale -> served.fenced(from, stale, owner, turn);
            case BlockMessage.HaloRequest request -> haloRequested(request, turn);
        }
    }

    /** The halo of an iteration is overdue: its source sends it again, here or at another daemon. */
    void haloOverdue(DaemonEvent.HaloOverdue halo, DaemonTurn turn) {
        BlockMessage.HaloRequest request =
                new BlockMessage.HaloRequest(halo.from(), halo.to(), halo.step(), halo.iteration());
        if (blocks.has(halo.from())) {
            resend(request, turn);
        } else {
            // A block that the directory has here is taken away.
            servedElsewhere(halo.from()).ifPresent(entry -> directory.sendTo(List.of(entry.block()), request, turn));
        }
    }

    /**
     * A neighbor greets: a stale incarnation is fenced, a newer incarnation is looked up, the place of a moved block is sent
     * back.
     */
    private void greeted(WorkerId from, BlockMessage.BlockHello hello, DaemonTurn turn) {
        if (fence.fenceIfStale(from, hello.from(), hello.incarnation(), turn)) {
            return;
        }
        if (isNews(hello)) {
            fetcher.want(hello.from());
        }
        if (blocks.has(hello.to())) {
            blocks.greeted(hello, turn);
        } else {
            servedElsewhere(hello.to()).ifPresent(entry -> turn.send(from, new BlockMessage.BlockMoved(entry)));
        }
    }

    /** A neighbor misses a halo. */
    private void haloRequested(BlockMessage.HaloRequest request, DaemonTurn turn) {
        if (blocks.has(request.from())) {
            resend(request, turn);
        }
    }

    private static void resend(BlockMessage.HaloRequest request, DaemonTurn turn) {
        turn.add(new DaemonAction.ResendHalo(request.from(), request.to(), request.step(), request.iteration()));
    }

    private boolean isNews(BlockMessage.BlockHello hello) {
        return directory
                .find(hello.from())
                .filter(entry -> entry.incarnation().compareTo(hello.incarnation()) < 0)
                .isPresent();
    }

    private Optional<BlockAssignment> servedElsewhere(int block) {
        return directory.find(block).filter(entry -> !entry.daemon().id().equals(self));
    }
}

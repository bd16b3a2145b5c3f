// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Blocks whose daemon could not be met: their spawner is asked for, at most once in a retry period. */
public final class DirectoryFetcher {
    private final long retry;
    private final TreeSet<Integer> blocks = new TreeSet<>();
    private long askAt = Long.MIN_VALUE;

    public DirectoryFetcher(Duration retry) {
        this.retry = retry.toNanos();
    }

    public void want(int block) {
        blocks.add(block);
    }

    public void tick(Optional<WorkerId> spawner, DaemonTurn turn) {
        if (blocks.isEmpty() || spawner.isEmpty()) {
            return;
        }
        if (turn.now() >= askAt) {
            askAt = turn.now() + retry;
            turn.send(spawner.get(), new BlockMessage.DirectoryRequest(List.copyOf(blocks)));
            blocks.clear();
        } else {
            turn.wakeAt(askAt);
        }
    }

    public int entries() {
        return blocks.size();
    }
}

package dev.volary.protocol.daemon;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Blocks whose daemon could not be met: their spawner is asked for, at most once in a retry period. */
final class RegisterPull {
    private final long retry;
    private final TreeSet<Integer> blocks = new TreeSet<>();
    private long askAt = Long.MIN_VALUE;

    RegisterPull(Duration retry) {
        this.retry = retry.toNanos();
    }

    void want(int block) {
        blocks.add(block);
    }

    void tick(Optional<NodeId> spawner, Actions out, long now) {
        if (blocks.isEmpty() || spawner.isEmpty()) {
            return;
        }
        if (now >= askAt) {
            askAt = now + retry;
            out.send(spawner.get(), new Message.RegisterRequest(List.copyOf(blocks)));
            blocks.clear();
        } else {
            out.wakeAt(askAt);
        }
    }

    int entries() {
        return blocks.size();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.directory;

import static dev.volary.protocol.Samples.messages;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DirectoryFetcherTest {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Optional<WorkerId> SPAWNER = Optional.of(new WorkerId(1));

    private final DirectoryFetcher fetcher = new DirectoryFetcher(RETRY);

    private DaemonTurn tick(long now) {
        DaemonTurn turn = new DaemonTurn(now);
        fetcher.tick(SPAWNER, turn);
        return turn;
    }

    @Test
    void theSpawnerIsAskedForAllWantedBlocksInOneRequest() {
        fetcher.want(3);
        fetcher.want(1);
        fetcher.want(3);
        assertEquals(List.of(new BlockMessage.DirectoryRequest(List.of(1, 3))), messages(tick(0)));
        assertEquals(List.of(), messages(tick(0)), "nothing more is wanted");
    }

    @Test
    void theNextRequestWaitsForTheRetryPeriod() {
        fetcher.want(1);
        tick(0);
        fetcher.want(2);
        DaemonTurn early = tick(RETRY.toNanos() - 1);
        assertEquals(List.of(), messages(early));
        assertEquals(RETRY.toNanos(), early.wakeUp());
        assertEquals(List.of(new BlockMessage.DirectoryRequest(List.of(2))), messages(tick(RETRY.toNanos())));
    }

    @Test
    void wantedBlocksWaitUntilThereIsASpawner() {
        fetcher.want(1);
        DaemonTurn turn = new DaemonTurn(0);
        fetcher.tick(Optional.empty(), turn);
        assertEquals(List.of(), messages(turn));
        assertEquals(1, messages(tick(1)).size());
    }
}

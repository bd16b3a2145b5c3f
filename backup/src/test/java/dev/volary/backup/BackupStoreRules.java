// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.backup.replica.ReplicaHeader;
import dev.volary.backup.replica.ReplicaKey;
import dev.volary.backup.replica.ReplicaKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every store promises of the replicas that it keeps, whatever carries the requests. */
public abstract class BackupStoreRules extends BackupStoreContract {
    private long holderOf(ReplicaKind kind) {
        return LongStream.rangeClosed(1, 5)
                .filter(id -> copiesOf(id).containsKey(new ReplicaKey(kind, BLOCK)))
                .findFirst()
                .orElseThrow();
    }

    private Optional<String> generation(long asker, int which) throws Exception {
        return get(store(asker).generation(BLOCK, which))
                .map(c -> StandardCharsets.UTF_8.decode(c.value().duplicate()).toString());
    }

    /** Flips a bit of the block's copy. */
    private void damage(long holder, int offset) {
        copiesOf(holder).computeIfPresent(new ReplicaKey(ReplicaKind.DATA, BLOCK), (key, frame) -> {
            byte[] damaged = frame.clone();
            damaged[offset] ^= 0x40;
            return damaged;
        });
    }

    @Test
    void allHoldersKeepTwoGenerationsUntilOneIsOverwritten() throws Exception {
        get(store(1).putGeneration(BLOCK, 0, version(1, 10), value("g10")));
        get(store(1).putGeneration(BLOCK, 1, version(1, 20), value("g20")));
        kill(1, holderOf(ReplicaKind.EVEN_GENERATION));
        assertEquals(Optional.of("g10"), generation(2, 0));
        assertEquals(Optional.of("g20"), generation(2, 1));
        get(store(2).putGeneration(BLOCK, 0, version(2, 15), value("g15")));
        assertEquals(Optional.of("g15"), generation(5, 0));
        assertEquals(Optional.of("g20"), generation(5, 1));
    }

    @Test
    void slotsAreOutsideTheOwnersZoneAndAreWrittenInTurn() throws Exception {
        put(1, 1, 1);
        List<Long> holders = holders();
        assertTrue(List.of(3L, 4L).contains(holders.get(0)) && holders.get(1) == 5, holders.toString());
        for (int i = 2; i <= 9; i++) {
            put(1, 1, i);
            assertEquals(holders, holders());
        }
        assertEquals(List.of(8L, 9L), held().values().stream().sorted().toList());
    }

    @Test
    void aDamagedReplicaIsSkipped() throws Exception {
        put(1, 1, 1);
        holders();
        put(1, 1, 2);
        put(1, 1, 3);
        damage(holderOf(3), ReplicaHeader.BYTES);
        assertEquals(Optional.of("x2"), newest(2));
    }

    @Test
    void aReplicaWithADamagedHeaderIsSkippedAndOverwritten() throws Exception {
        put(1, 1, 1);
        List<Long> holders = holders();
        put(1, 1, 2);
        long holder = holderOf(2);
        damage(holder, 40); // its iteration
        assertEquals(Optional.of("x1"), newest(2));
        put(1, 1, 3);
        put(1, 1, 4);
        assertEquals(holders, holders());
    }

    @Test
    void anOlderWriteNeverReplacesANewerOne() throws Exception {
        put(1, 2, 1);
        holders();
        assertEquals(new PutOutcome.Outdated(version(2, 1)), put(1, 1, 50));
        assertEquals(new PutOutcome.Outdated(version(2, 1)), put(2, 1, 50)); // a fenced owner elsewhere
        assertEquals(Optional.of("x1"), newest(5));
    }

    @Test
    void aNewIncarnationWinsOverMoreIterations() throws Exception {
        put(1, 1, 1000);
        holders();
        put(2, 2, 3);
        assertEquals(Optional.of("x3"), newest(5));
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> held().size() == 2 && held().values().stream().allMatch(i -> i == 3));
    }

    @Test
    void dataCanBeWrittenToAllHolders() throws Exception {
        assertEquals(new PutOutcome.Stored(2), get(store(1).putEverywhere(BLOCK, version(1, 4), value("x4"))));
        assertEquals(List.of(4L, 4L), List.copyOf(held().values()));
    }
}

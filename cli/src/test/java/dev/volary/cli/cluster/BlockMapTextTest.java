// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.cli.cluster.client.BlockMap;
import dev.volary.cli.console.Style;
import dev.volary.mesh.v1.BlockStatus;
import dev.volary.mesh.v1.GroupTerm;
import dev.volary.mesh.v1.Incarnation;
import dev.volary.mesh.v1.Member;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.WorkerStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The map of a job's blocks, from the reports of two spawners. */
class BlockMapTextTest {
    private static final long LEADER = 0xa0;
    private static final long OTHER = 0xa1;

    @Test
    void blocksAreShownWithTheirDaemonIncarnationAndBackups() {
        assertEquals("""
                leader heat-s-0, term 3; 2 backups of each block

                DAEMON    SPAWNER   ZONE  BLOCKS   LAST HEARTBEAT
                heat-d-0  heat-s-0  a     0-2          120 ms ago
                heat-d-3  heat-s-0  b     standby       1.5 s ago
                heat-d-1  heat-s-1  -     4                 never

                BLOCK  SERVED BY  INCARNATION  ITERATION  LOCAL HINT  BACKED UP AT  BACKUPS ON
                    0  heat-d-0           2.0     12 345    1.00e-05        12 300  heat-d-3, heat-s-1
                    1  heat-d-0           2.0          7           -             -  -
                    2  heat-d-0           3.1          8           -             -  beef
                    3  unknown              -          -           -             -  -
                    4  heat-d-1           1.0          9           -             -  -
                """, text(replies()));
    }

    @Test
    void ofTwoDaemonsThatReportABlockTheNewerIncarnationIsShown() {
        Map<String, StatusReply> replies = new LinkedHashMap<>();
        replies.put(
                "heat-s-0",
                StatusReply.newBuilder()
                        .addWorkers(worker(1, "heat-d-0", "a", 5).addBlocks(block(0, 2, 4, 100)))
                        .addWorkers(worker(2, "heat-d-9", "a", 5).addBlocks(block(0, 2, 5, 90)))
                        .build());
        assertEquals(
                List.of("heat-d-9"),
                BlockMap.of(replies).served().values().stream()
                        .map(BlockMap.Block::pod)
                        .toList());
    }

    @Test
    void aMissingLeaderAndAClosedStoreAreShown() {
        Map<String, StatusReply> replies =
                Map.of("heat-s-0", StatusReply.newBuilder().setTerm(4).build());
        assertEquals(
                "no leader, term 4; the backup store is not open yet",
                BlockMapText.lines(BlockMap.of(replies), Style.PLAIN).getFirst());
    }

    private static Map<String, StatusReply> replies() {
        Map<String, StatusReply> replies = new LinkedHashMap<>();
        replies.put(
                "heat-s-0",
                StatusReply.newBuilder()
                        .setSelf(Member.newBuilder().setId(LEADER).setName("heat-s-0"))
                        .setLeader(LEADER)
                        .setTerm(3)
                        .setBlocks(5)
                        .setScale(10)
                        .setCopiesInForce(2)
                        .addWorkers(worker(1, "heat-d-0", "a", 120)
                                .addBlocks(block(0, 2, 0, 12_345)
                                        .setHint(1e-4)
                                        .setBackupIteration(12_300)
                                        .addAllHolders(List.of(3L, OTHER)))
                                .addBlocks(block(1, 2, 0, 7))
                                .addBlocks(block(2, 3, 1, 8).addHolders(0xbeef)))
                        .addWorkers(worker(3, "heat-d-3", "b", 1500).setStandby(true))
                        .build());
        replies.put(
                "heat-s-1",
                StatusReply.newBuilder()
                        .setSelf(Member.newBuilder().setId(OTHER).setName("heat-s-1"))
                        .setLeader(LEADER)
                        .setTerm(3)
                        .setCopiesInForce(2)
                        .addWorkers(worker(2, "heat-d-1", "", -1).addBlocks(block(4, 1, 0, 9)))
                        .build());
        return replies;
    }

    private static WorkerStatus.Builder worker(long id, String pod, String zone, long silentMillis) {
        return WorkerStatus.newBuilder()
                .setMember(Member.newBuilder().setId(id).setName(pod).setZone(zone))
                .setPod(pod)
                .setSilentMillis(silentMillis);
    }

    private static BlockStatus.Builder block(int number, long term, int counter, long iteration) {
        return BlockStatus.newBuilder()
                .setBlock(number)
                .setIncarnation(Incarnation.newBuilder()
                        .setTerm(GroupTerm.newBuilder().setN(term))
                        .setCounter(counter))
                .setIteration(iteration)
                .setHint(Double.POSITIVE_INFINITY)
                .setBackupIteration(-1);
    }

    private static String text(Map<String, StatusReply> replies) {
        return String.join("\n", BlockMapText.lines(BlockMap.of(replies), Style.PLAIN)) + "\n";
    }
}

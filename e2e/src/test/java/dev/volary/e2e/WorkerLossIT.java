// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.volary.mesh.v1.WorkerStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Daemons and spawners are lost while the job computes, in every way that a platform knows; no retry is used up, and the answer is
 * certified.
 */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WorkerLossIT {
    private LongRunningJob running;

    @BeforeAll
    void start() throws Exception {
        running = new LongRunningJob("worker-loss", 160);
    }

    @AfterAll
    void stop() throws IOException {
        running.close();
    }

    @Test
    @Order(1)
    void halfOfThemAtOnceAreReplaced() throws Exception {
        Map<String, String> before = running.ready();
        List<String> victims = running.computing().subList(0, Specs.BLOCKS / 2);
        running.survives(victims, () -> running.job().deleteAtOnce(victims));
        running.job().awaitAllRunning(before, victims);
        running.countsDeleted(victims.size());
    }

    @Test
    @Order(2)
    void aDaemonThatIsDeletedWithoutGraceIsReplaced() throws Exception {
        Map<String, String> before = running.ready();
        List<String> victims = running.computing().subList(0, 1);
        running.survives(victims, () -> running.job().deleteAtOnce(victims));
        running.job().awaitAllRunning(before, victims);
        running.countsDeleted(1);
    }

    @Test
    @Order(3)
    void aDaemonThatIsKilledInItsContainerRestartsInItsPod() throws Exception {
        Map<String, String> before = running.ready();
        String victim = running.computing().getFirst();
        int restarts = running.job().restarts(victim);
        running.survives(List.of(victim), () -> kill(victim));
        running.job().until("starts the container again", () -> running.job().restarts(victim) == restarts + 1);
        assertEquals(before, running.job().pods());
        running.counts(1);
    }

    @Test
    @Order(4)
    void anEvictedDaemonIsReplaced() throws Exception {
        Map<String, String> before = running.ready();
        List<String> victims = running.computing().subList(0, 1);
        running.survives(victims, () -> running.job().evict(victims.getFirst()));
        running.job().awaitAllRunning(before, victims);
        running.counts(1);
    }

    /** The spawners and standbys of the zone included. */
    @Test
    @Order(5)
    void aWholeZoneIsReplaced() throws Exception {
        Map<String, String> before = running.ready();
        Set<String> zone = smallestZone();
        List<String> victims =
                running.computing().stream().filter(zone::contains).toList();
        running.survives(victims, () -> running.job().deleteAtOnce(zone));
        running.job().awaitAllRunning(before, zone);
        running.countsDeleted(zone.size());
    }

    /** Their backups may be lost with them: then their blocks start again, and the others go on. */
    @Test
    @Order(6)
    void aSpawnerIsReplacedTogetherWithAllDaemonsOfItsGroup() throws Exception {
        Map<String, String> before = running.ready();
        String leader = running.job().leader();
        String spawner = running.job().spawnerBeside(leader);
        List<String> group = computingFor(spawner);
        Set<Long> lost = running.observer().whole().workers(group);
        List<String> victims = Stream.concat(Stream.of(spawner), group.stream()).toList();
        running.job().deleteAtOnce(victims);
        running.observer().awaitIterating(lost);
        running.job().awaitAllRunning(before, victims);
        running.countsDeleted(victims.size());
    }

    /** Its block starts again from what its neighbors know; blocks of other daemons go on. */
    @Test
    @Order(7)
    void aDaemonIsReplacedTogetherWithAllHoldersOfItsBackups() throws Exception {
        Map<String, String> before = running.ready();
        Blocks blocks = blocksWithHolders();
        Set<String> victims = new TreeSet<>(Set.of(blocks.place(0).pod()));
        blocks.place(0).holders().forEach(holder -> victims.add(blocks.workers().get(holder)));
        Set<Long> processes = blocks.workers(victims);
        running.job().deleteAtOnce(victims);
        running.observer().awaitIterating(processes);
        Blocks after = running.observer().whole();
        for (int block = 0; block < Specs.BLOCKS; block++) {
            Blocks.Place place = blocks.place(block);
            if (!victims.contains(place.pod())) {
                assertTrue(
                        after.place(block).iteration() >= place.iteration(), "block " + block + " is behind " + place);
            }
        }
        running.job().awaitAllRunning(before, victims);
        running.countsDeleted(victims.size());
    }

    @Test
    @Order(8)
    void aSpawnerThatIsNotTheLeaderIsReplaced() throws Exception {
        Map<String, String> before = running.ready();
        String leader = running.job().leader();
        List<String> victims = List.of(running.job().spawnerBeside(leader));
        running.job().deleteAtOnce(victims);
        running.job().awaitAllRunning(before, victims);
        running.observer().awaitIterating(Set.of());
        running.countsDeleted(1);
    }

    @Test
    @Order(9)
    void theLeaderIsSucceededAndReplaced() throws Exception {
        Map<String, String> before = running.ready();
        // The other spawner is new. Without the plan it needs a minute to lead, and the job does not last that long.
        running.observer().awaitInformed(2);
        String leader = running.job().leader();
        assertNotEquals("", leader);
        running.job().deleteAtOnce(List.of(leader));
        running.job()
                .until(
                        "has another lead",
                        () -> !Set.of("", leader).contains(running.job().status("leader")));
        running.job().awaitAllRunning(before, List.of(leader));
        running.observer().awaitIterating(Set.of());
        running.countsDeleted(1);
    }

    @Test
    @Order(10)
    void theResultIsCertified(@TempDir Path folder) throws Exception {
        running.ends(folder);
    }

    /** Where blocks are, once it is known of all holders of the first one's backups which pods they run in. */
    private Blocks blocksWithHolders() throws Exception {
        Blocks[] known = new Blocks[1];
        running.job().until("says who keeps the backups of block 0", () -> {
            known[0] = running.observer().whole();
            List<Long> holders = known[0].place(0).holders();
            return holders.size() == Specs.COPIES && known[0].workers().keySet().containsAll(holders);
        });
        return known[0];
    }

    /** The pods of the zone with the fewest daemons that compute, but at least one. */
    private Set<String> smallestZone() throws Exception {
        Map<String, Set<String>> zones = new TreeMap<>();
        for (String pod : running.job().pods().keySet()) {
            zones.computeIfAbsent(zone(running.job().node(pod)), zone -> new TreeSet<>())
                    .add(pod);
        }
        assumeTrue(zones.size() > 1, "the cluster has one zone only: " + zones);
        List<String> computing = running.computing();
        return zones.values().stream()
                .filter(pods -> computing.stream().anyMatch(pods::contains))
                .min(Comparator.comparingLong(
                        pods -> computing.stream().filter(pods::contains).count()))
                .orElseThrow();
    }

    private static String zone(String node) throws IOException, InterruptedException {
        return Kubectl.run("get", "node", node, "-o", "jsonpath={.metadata.labels.topology\\.kubernetes\\.io/zone}");
    }

    /** The daemons that compute in the group of a spawner. */
    private List<String> computingFor(String pod) throws Exception {
        try (Spawner spawner = Spawner.of(running.job(), pod)) {
            return spawner.client().status(0).getWorkersList().stream()
                    .filter(worker -> worker.getBlocksCount() > 0)
                    .map(WorkerStatus::getPod)
                    .toList();
        }
    }

    /** SIGKILL from the node where the test may go there; else the process ends itself as if it had come. */
    private void kill(String victim) throws Exception {
        if (Testbed.isThere()) {
            Testbed.killProcess(running.job().pod(victim));
            return;
        }
        for (String pod : running.job().runningSpawners()) {
            try (Spawner spawner = Spawner.of(running.job(), pod)) {
                if (spawner.client().kill(List.of(victim)).getKilledCount() > 0) {
                    return; // one of them owns its group
                }
            }
        }
        throw new AssertionError("no spawner knows " + victim);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.tls.CertificateAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members as processes, killed with SIGKILL: two in each of the zones a, b and c, two copies. */
class KilledMembersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60); // a busy machine

    /** JGroups notices silence after 24 s. */
    private static final Duration WITHOUT_THE_SILENT = Duration.ofSeconds(6);

    private final List<MemberProcess> members = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void killAll() {
        members.forEach(MemberProcess::kill);
    }

    private MemberProcess start(CertificateAuthority authority, long id, String zone) throws Exception {
        members.add(new MemberProcess(authority, id, zone, log()));
        return members.getLast();
    }

    private Path log() {
        return folder.resolve("members.log");
    }

    private void kill(MemberProcess... killed) {
        List<MemberProcess> dead = Arrays.asList(killed);
        dead.forEach(MemberProcess::kill);
        members.removeAll(dead);
        updateMembers();
    }

    private void updateMembers() {
        String all = members.stream().map(m -> m.description).collect(Collectors.joining(" "));
        members.forEach(m -> assertEquals("updated", m.ask("members " + all)));
    }

    private void awaitAllReachable() {
        String others = Integer.toString(members.size() - 1);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> members.stream().allMatch(m -> m.ask("reachable").equals(others)));
    }

    private List<MemberProcess> holding(String iteration) {
        return members.stream().filter(m -> m.ask("held").equals(iteration)).toList();
    }

    private void awaitHolders(int count, String... iterations) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Arrays.stream(iterations)
                                .mapToInt(i -> holding(i).size())
                                .sum()
                        == count);
    }

    /**
     * One life of a group: the copy before survives the owner and the newest holder; the two copies are complete again; a
     * zone may die; a damaged copy is skipped; a holder that comes back empty is filled.
     */
    @Test
    void backupsSurviveKilledMembersAndDamagedCopies() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("default", "checkpoint");
        MemberProcess owner = start(authority, 1, "a");
        for (long id = 2; id <= 6; id++) {
            start(authority, id, List.of("a", "b", "c").get((int) (id - 1) / 2));
        }
        updateMembers();
        awaitAllReachable();

        // Owner and newest holder die together.
        assertEquals("Stored[copies=2]", owner.ask("put 1 1"));
        awaitHolders(2, "1");
        assertEquals("Stored[copies=2]", owner.ask("put 1 2"));
        MemberProcess newest = holding("2").getFirst();
        assertEquals(
                List.of("b", "c"),
                List.of(holding("1").getFirst().zone, newest.zone).stream()
                        .sorted()
                        .toList());
        kill(owner, newest);
        MemberProcess second = members.getFirst(); // zone a
        assertEquals("1", second.ask("newest"));

        // The next owner's first write makes the copies complete.
        assertEquals("Stored[copies=2]", second.ask("put 2 3"));
        awaitHolders(2, "3");
        assertEquals("Stored[copies=2]", second.ask("put 2 4"));

        // A zone dies with the older copy in it; what it held is written again elsewhere.
        String zone = holding("3").getFirst().zone;
        kill(members.stream().filter(m -> m.zone.equals(zone)).toArray(MemberProcess[]::new));
        assertEquals("4", members.getLast().ask("newest"));

        // A member comes back empty and is filled.
        MemberProcess fresh = start(authority, 9, zone);
        updateMembers();
        awaitAllReachable();
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> fresh.ask("held").equals("4"));

        // A damaged copy is skipped, also by the member that holds it.
        assertEquals("Stored[copies=2]", second.ask("put 2 5"));
        MemberProcess damaged = holding("5").getFirst();
        assertEquals("damaged", damaged.ask("damage"));
        kill(second);
        assertEquals("4", damaged.ask("newest"));

        assertTrue(Files.readString(log()).isEmpty(), Files.readString(log()));
    }

    /**
     * A machine that is switched off closes no connection. Others have found out by other means and say so with the next list;
     * who joins then does not wait for JGroups to notice by itself, not even where the silent one had founded the cluster.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 3})
    void aSilentMemberDoesNotPreventOthersFromJoining(long id) throws Exception {
        CertificateAuthority authority = new CertificateAuthority("default", "checkpoint");
        for (long each = 1; each <= 4; each++) {
            start(authority, each, "");
        }
        updateMembers();
        awaitAllReachable();
        MemberProcess silent =
                members.stream().filter(m -> m.id == id).findFirst().orElseThrow();
        silent.freeze();
        try {
            members.remove(silent);
            MemberProcess late = start(authority, 9, "");
            late.ask("reachable"); // its JVM runs
            updateMembers();
            long updatedAt = System.nanoTime();
            awaitAllReachable();
            Duration took = Duration.ofNanos(System.nanoTime() - updatedAt);
            assertTrue(took.compareTo(WITHOUT_THE_SILENT) < 0, took::toString);
        } finally {
            silent.kill();
        }
    }
}

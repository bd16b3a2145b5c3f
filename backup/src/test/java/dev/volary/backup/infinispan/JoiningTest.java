// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.infinispan;

import static org.awaitility.Awaitility.await;

import dev.volary.backup.BackupStore;
import dev.volary.backup.StoreSettings;
import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.ReplicatedBackupStore;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.JobTrustManager;
import dev.volary.mesh.tls.TlsContexts;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** How members find each other, with the times that workers have: as long as they do not, no block has a copy. */
class JoiningTest {
    private static final Duration RESTS = Duration.ofMillis(500);
    /** The list has to rest, the founder looks around, the others look for it every 300 ms. */
    private static final Duration TOGETHER = Duration.ofSeconds(5);
    /** Members that know of each other seek each other every half second, and their clusters agree. */
    private static final Duration MERGED = Duration.ofSeconds(8);

    /** Of one processor: a member that waits uses none. */
    private static final double BUSY = 0.1;

    private final List<BackupStore> stores = new ArrayList<>();
    private CertificateAuthority authority;

    @BeforeEach
    void authorise() throws Exception {
        authority = new CertificateAuthority("default", "joining");
    }

    @AfterEach
    void close() {
        stores.forEach(BackupStore::close);
    }

    private List<BackupHolder> members(long count) {
        return LongStream.rangeClosed(1, count).mapToObj(JoiningTest::holder).toList();
    }

    private static BackupHolder holder(long id) {
        try {
            int port = InfinispanBackupStore.freePort("127.0.0.1");
            return new BackupHolder(new WorkerId(id), "host-" + id, "", new Address("127.0.0.1", port));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private BackupStore open(BackupHolder self) throws Exception {
        Identity identity = authority.issue("daemon", "daemon-" + self.id());
        JobTrustManager trust = new JobTrustManager(identity, (peer, reason) -> {});
        HeldReplicas held = new HeldReplicas(new ConcurrentHashMap<>());
        BackupStore store = new ReplicatedBackupStore(
                self,
                StoreSettings.of(2),
                InfinispanBackupStore.transport("joining", self, held, TlsContexts.context(identity, trust), RESTS));
        stores.add(store);
        return store;
    }

    private void awaitAllReached(Duration within) {
        await().atMost(within)
                .until(() -> stores.stream().allMatch(store -> store.reachable().size() == stores.size() - 1));
    }

    /** JGroups has had a thread that never rested again once there was another view; blocks would have to share with it. */
    private static void awaitRest() {
        await().atMost(MERGED).until(() -> busiest(Duration.ofSeconds(1)) < BUSY);
    }

    /** The processor time of the thread that uses most of it, as a share of the time watched. */
    private static double busiest(Duration watched) throws InterruptedException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<Long, Long> before = new HashMap<>();
        for (long id : threads.getAllThreadIds()) {
            before.put(id, threads.getThreadCpuTime(id));
        }
        Thread.sleep(watched);
        return before.entrySet().stream()
                        .mapToDouble(each -> (double) (threads.getThreadCpuTime(each.getKey()) - each.getValue()))
                        .max()
                        .orElseThrow()
                / watched.toNanos();
    }

    @RepeatedTest(3)
    void membersOfAGrowingListFormOneClusterWithinSeconds() throws Exception {
        List<BackupHolder> members = members(4);
        for (BackupHolder member : members) {
            BackupStore ignored = open(member);
        }
        // The last ones first: until the list is whole, everyone but one takes another for the founder.
        for (int known = 1; known <= members.size(); known++) {
            List<BackupHolder> list = members.subList(members.size() - known, members.size());
            stores.forEach(store -> store.members(list));
            Thread.sleep(RESTS.dividedBy(5));
        }
        awaitAllReached(TOGETHER);
        awaitRest();
    }

    @Test
    void aLaterMemberWithTheLowestIdentityJoinsTheOthers() throws Exception {
        List<BackupHolder> members = members(3);
        for (BackupHolder member : members.subList(1, 3)) {
            open(member).members(members.subList(1, 3));
        }
        awaitAllReached(TOGETHER);
        BackupStore late = open(members.getFirst());
        stores.forEach(store -> store.members(members));
        awaitAllReached(TOGETHER);
        await().during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(3))
                .until(() -> late.reachable().size() == 2);
    }

    @Test
    void clustersFoundedAtTheSameTimeMerge() throws Exception {
        List<BackupHolder> members = members(4);
        for (BackupHolder member : members) {
            List<BackupHolder> half = members.indexOf(member) < 2 ? members.subList(0, 2) : members.subList(2, 4);
            open(member).members(half);
        }
        await().atMost(TOGETHER)
                .until(() -> stores.stream().allMatch(store -> store.reachable().size() == 1));
        stores.forEach(store -> store.members(members));
        awaitAllReached(MERGED);
        awaitRest();
    }
}

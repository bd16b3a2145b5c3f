// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class HandoverTransportTest {
    private static final WorkerId A = new WorkerId(1);
    private static final WorkerId B = new WorkerId(2);
    private static final HolderRequest LOOK = new HolderRequest.Look(new ReplicaKey(ReplicaKind.DATA, 3));

    private final Carrier first = new Carrier();
    private final Carrier second = new Carrier();

    @Test
    void aMemberIsAskedByTheSecondCarrierOnceThatHasFoundIt() {
        List<Set<WorkerId>> reported = new ArrayList<>();
        HandoverTransport both = new HandoverTransport(first, second, Duration.ZERO, () -> true);
        both.start(reported::add);
        first.find(Set.of(A, B));
        await().until(() -> second.started);
        var _ = both.ask(A, LOOK);
        second.find(Set.of(A));
        var _ = both.ask(A, LOOK);
        var _ = both.ask(B, LOOK);
        assertEquals(List.of(A, B), first.asked);
        assertEquals(List.of(A), second.asked);
        second.find(Set.of());
        var _ = both.ask(A, LOOK);
        assertEquals(List.of(A, B, A), first.asked, "lost by the second carrier");
        assertEquals(Set.of(A, B), reported.getLast());
    }

    @Test
    void whatOnlyTheSecondCarrierFindsIsReportedToo() {
        List<Set<WorkerId>> reported = new ArrayList<>();
        HandoverTransport both = new HandoverTransport(first, second, Duration.ZERO, () -> true);
        both.start(reported::add);
        await().until(() -> second.started);
        first.find(Set.of(A));
        second.find(Set.of(B));
        assertEquals(Set.of(A, B), reported.getLast());
    }

    @Test
    void theSecondCarrierDoesNotBeginEarlyOrAfterTheEnd() {
        HandoverTransport both = new HandoverTransport(first, second, Duration.ofMillis(50), () -> true);
        both.start(found -> {});
        assertTrue(first.started);
        assertFalse(second.started);
        both.close();
        Carrier witness = new Carrier();
        new HandoverTransport(new Carrier(), witness, Duration.ofMillis(60), () -> true).start(found -> {});
        await().until(() -> witness.started); // its delay ends after that of the closed one
        assertFalse(second.started);
    }

    @Test
    void theSecondCarrierWaitsForIdleCores() {
        AtomicInteger questions = new AtomicInteger();
        new HandoverTransport(first, second, Duration.ofMillis(1), () -> {
                    assertFalse(second.started);
                    return questions.incrementAndGet() == 3;
                })
                .start(found -> {});
        await().until(() -> second.started);
        assertEquals(3, questions.get());
    }

    /** Such as a worker of an older version. */
    @Test
    void aMemberThatOnlyTheSecondCarrierReachesIsNotLeftWaiting() {
        HandoverTransport both = new HandoverTransport(first, second, Duration.ofMillis(1), () -> false);
        both.members(List.of(new BackupHolder(A, "host", "zone", new Address("127.0.0.1", 7402))));
        both.start(found -> {});
        await().until(() -> second.started);
    }

    /** Both know who is alive: the second one needs the list when it begins. */
    @Test
    void bothGetTheListOfMembers() {
        HandoverTransport both = new HandoverTransport(first, second, Duration.ofHours(1), () -> true);
        both.members(List.of());
        assertEquals(1, first.lists);
        assertEquals(1, second.lists);
        both.close();
        assertTrue(first.closed);
        assertTrue(second.closed);
    }

    private static final class Carrier implements ReplicaTransport {
        private final List<WorkerId> asked = new ArrayList<>();
        private volatile Consumer<Set<WorkerId>> changed = found -> {};
        private volatile boolean started;
        private boolean closed;
        private int lists;

        void find(Set<WorkerId> members) {
            changed.accept(members);
        }

        @Override
        public void start(Consumer<Set<WorkerId>> listener) {
            changed = listener;
            started = true;
        }

        @Override
        public void members(List<BackupHolder> others) {
            lists++;
        }

        @Override
        public CompletableFuture<HolderReply> ask(WorkerId member, HolderRequest request) {
            asked.add(member);
            return CompletableFuture.completedFuture(new HolderReply.Nothing());
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.mesh.arbiter.Arbiter;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every arbiter promises. */
abstract class ArbiterContract {
    private static final WorkerId ONE = new WorkerId(0x1234567890abcdefL);
    private static final WorkerId OTHER = new WorkerId(7);

    /** Another client of the arbiter under test; all of one test share its record. */
    abstract Arbiter client() throws Exception;

    @Test
    void aNewRecordIsEmpty() throws Exception {
        assertEquals(LeaderElectionRecord.EMPTY, client().read());
    }

    @Test
    void aCallerThatExpectsTheCurrentRecordReplacesIt() throws Exception {
        LeaderElectionRecord next = record(ONE, 1, ONE, OTHER);
        assertEquals(next, client().compareAndSet(LeaderElectionRecord.EMPTY, next));
        assertEquals(next, client().read());
    }

    @Test
    void aCallerThatExpectsAnotherRecordReceivesTheCurrentOne() throws Exception {
        LeaderElectionRecord first = record(ONE, 1, ONE);
        client().compareAndSet(LeaderElectionRecord.EMPTY, first);
        assertEquals(first, client().compareAndSet(LeaderElectionRecord.EMPTY, record(OTHER, 1, OTHER)));
        assertEquals(first, client().read());
    }

    @Test
    void theTermOnlyGrows() throws Exception {
        LeaderElectionRecord fifth = record(ONE, 5, ONE);
        client().compareAndSet(LeaderElectionRecord.EMPTY, fifth);
        assertEquals(fifth, client().compareAndSet(fifth, record(OTHER, 5, OTHER)));
        assertEquals(fifth, client().compareAndSet(fifth, record(OTHER, 4, OTHER)));
        LeaderElectionRecord sixth = record(OTHER, 6);
        assertEquals(sixth, client().compareAndSet(fifth, sixth));
    }

    @Test
    void exactlyOneOfManyConcurrentCallersWins() throws Exception {
        int many = 8;
        List<Callable<LeaderElectionRecord>> attempts = new ArrayList<>();
        for (int i = 1; i <= many; i++) {
            WorkerId self = new WorkerId(i);
            Arbiter own = client();
            attempts.add(() -> own.compareAndSet(LeaderElectionRecord.EMPTY, record(self, 1, self)));
        }
        List<LeaderElectionRecord> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(many)) {
            for (Future<LeaderElectionRecord> answer : threads.invokeAll(attempts)) {
                answers.add(answer.get());
            }
        }
        LeaderElectionRecord winner = client().read();
        answers.forEach(answer -> assertEquals(winner, answer));
        assertEquals(1, winner.term());
    }

    static LeaderElectionRecord record(WorkerId leader, long term, WorkerId... members) {
        return new LeaderElectionRecord(Optional.of(leader), term, List.of(members));
    }
}

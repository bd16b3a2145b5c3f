package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.mesh.arbiter.Arbiter;
import dev.volary.protocol.ArbiterRecord;
import dev.volary.protocol.NodeId;
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
    private static final NodeId ONE = new NodeId(0x1234567890abcdefL);
    private static final NodeId OTHER = new NodeId(7);

    /** Another client of the arbiter under test; all of one test share its record. */
    abstract Arbiter client() throws Exception;

    @Test
    void aNewRecordIsEmpty() throws Exception {
        assertEquals(ArbiterRecord.EMPTY, client().read());
    }

    @Test
    void whoeverExpectsTheRecordReplacesIt() throws Exception {
        ArbiterRecord next = record(ONE, 1, ONE, OTHER);
        assertEquals(next, client().compareAndSet(ArbiterRecord.EMPTY, next));
        assertEquals(next, client().read());
    }

    @Test
    void whoeverExpectsAnotherRecordIsToldTheRealOne() throws Exception {
        ArbiterRecord first = record(ONE, 1, ONE);
        client().compareAndSet(ArbiterRecord.EMPTY, first);
        assertEquals(first, client().compareAndSet(ArbiterRecord.EMPTY, record(OTHER, 1, OTHER)));
        assertEquals(first, client().read());
    }

    @Test
    void theTermOnlyGrows() throws Exception {
        ArbiterRecord fifth = record(ONE, 5, ONE);
        client().compareAndSet(ArbiterRecord.EMPTY, fifth);
        assertEquals(fifth, client().compareAndSet(fifth, record(OTHER, 5, OTHER)));
        assertEquals(fifth, client().compareAndSet(fifth, record(OTHER, 4, OTHER)));
        ArbiterRecord sixth = record(OTHER, 6);
        assertEquals(sixth, client().compareAndSet(fifth, sixth));
    }

    @Test
    void ofManyAtOnceExactlyOneWins() throws Exception {
        int many = 8;
        List<Callable<ArbiterRecord>> attempts = new ArrayList<>();
        for (int i = 1; i <= many; i++) {
            NodeId self = new NodeId(i);
            Arbiter own = client();
            attempts.add(() -> own.compareAndSet(ArbiterRecord.EMPTY, record(self, 1, self)));
        }
        List<ArbiterRecord> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(many)) {
            for (Future<ArbiterRecord> answer : threads.invokeAll(attempts)) {
                answers.add(answer.get());
            }
        }
        ArbiterRecord winner = client().read();
        answers.forEach(answer -> assertEquals(winner, answer));
        assertEquals(1, winner.term());
    }

    static ArbiterRecord record(NodeId lead, long term, NodeId... members) {
        return new ArbiterRecord(Optional.of(lead), term, List.of(members));
    }
}

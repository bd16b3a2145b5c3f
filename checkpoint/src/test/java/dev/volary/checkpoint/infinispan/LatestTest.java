package dev.volary.checkpoint.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A member once heard an older view last, missed another member from then on, and gave it no copies. */
class LatestTest {
    private final AtomicInteger view = new AtomicInteger(1);
    private final List<Integer> told = new CopyOnWriteArrayList<>();
    private final List<Thread> others = new CopyOnWriteArrayList<>();
    private final Latest<Integer> latest = new Latest<>(this::readSlowly, told::add);

    /** Whoever reads the first view is late: the second comes in between, with a thread that tells it. */
    private int readSlowly() {
        int read = view.get();
        if (read == 1) {
            view.set(2);
            others.add(Thread.ofPlatform().start(latest::tell));
            pause(others.getFirst());
        }
        return read;
    }

    private static void pause(Thread other) {
        try {
            boolean _ = other.join(Duration.ofMillis(200)); // it ends within that if nothing holds it back
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void the_newest_is_told_last() throws Exception {
        latest.tell();
        others.getFirst().join();
        assertEquals(List.of(1, 2), told);
    }
}

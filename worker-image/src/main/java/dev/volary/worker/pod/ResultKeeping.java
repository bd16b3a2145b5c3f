// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.v1.IntroduceReply;
import dev.volary.mesh.v1.PendingResult;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.spawner.ResultKeeper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs a {@link ResultKeeper} for a spawner in a pod, on a thread of its own: from the end of the job until a client has the result it
 * asks the other spawners who holds it, and gives a copy to one that lacks it when too few do.
 */
final class ResultKeeping implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration LEAVING_PERIOD = Duration.ofMillis(250);
    private static final Duration ARBITER = Duration.ofSeconds(10);

    private final ResultSpool spool;
    private final int copies;
    private final SpawnerDiscovery spawners;
    private final ResultCopies results;
    private final AsyncArbiter arbiter;
    private final Consumer<String> log;
    private final Semaphore wake = new Semaphore(0);
    private Optional<ResultKeeper> keeper = Optional.empty(); // the thread's
    private String said = ""; // the thread's
    private volatile Optional<Thread> thread = Optional.empty();
    private volatile boolean leaving;
    /** Whether another spawner that stays holds the result, or nobody will ever fetch it; known only while this one leaves. */
    private volatile boolean isReleased;

    private volatile boolean closed;

    /**
     * @param copies how many spawners hold the result at the end of the job
     * @param spawners closed by its owner
     * @param arbiter closed by its owner
     * @param log receives what is done, and what fails
     */
    ResultKeeping(
            ResultSpool spool,
            int copies,
            SpawnerDiscovery spawners,
            ResultCopies results,
            AsyncArbiter arbiter,
            Consumer<String> log) {
        this.spool = spool;
        this.copies = Math.max(1, copies);
        this.spawners = spawners;
        this.results = results;
        this.arbiter = arbiter;
        this.log = log;
    }

    /** Begins to look whether the job is over. */
    void start(Member self) {
        thread = Optional.of(Thread.ofPlatform().daemon().name("result").start(() -> run(self)));
    }

    /** This process is about to end; from now on its answers say so. */
    void leave() {
        leaving = true;
        wake.release();
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Whether a client awaits the result that is here and, as far as is known, on no other spawner that stays. */
    boolean isNeeded() {
        try {
            return thread.isPresent() && !isReleased && spool.awaited().isPresent();
        } catch (IOException e) {
            return false; // it cannot be read here, so nobody can fetch it
        }
    }

    private void run(Member self) {
        try {
            while (!closed) {
                try {
                    Optional<PendingResult> result = spool.awaited();
                    if (result.isPresent()) {
                        keep(self, result.get());
                    }
                } catch (IOException | RuntimeException e) {
                    say("the copies of the result cannot be counted: " + e.getMessage());
                }
                wake.tryAcquire((leaving ? LEAVING_PERIOD : PERIOD).toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keep(Member self, PendingResult result) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        ResultKeeper own = keeper.orElseGet(() -> ResultKeeper.of(self, copies, begun));
        keeper = Optional.of(own);
        boolean wasLeaving = leaving;
        if (wasLeaving) {
            own.leave(begun);
        }
        List<IntroduceReply> replies = spawners.introduce();
        if (replies.stream().anyMatch(other -> other.getResultFetched() && other.getResultSid() == result.getSid())) {
            spool.recordFetched();
            return;
        }
        own.seen(replies.stream().map(other -> seen(other, result.getSid())).toList(), begun, System.nanoTime());
        isReleased = wasLeaving && (own.isHeldElsewhere() || !jobExists());
        Optional<Member> to = own.nextCopy(System.nanoTime());
        if (to.isPresent()) {
            copy(self, to.get(), result, own);
        }
    }

    private static ResultKeeper.Seen seen(IntroduceReply other, long sid) {
        return new ResultKeeper.Seen(Shapes.read(other.getSelf()), other.getResultSid() == sid, other.getLeaving());
    }

    private void copy(Member self, Member to, PendingResult result, ResultKeeper own) {
        try {
            results.copy(self.address(), to, result, true);
            own.copied(to.id());
            say(to.name() + " holds the result, too");
        } catch (IOException | RuntimeException e) {
            own.failed(System.nanoTime());
            say(to.name() + " has no copy of the result: " + e.getMessage());
        }
    }

    /** Writes a line to the log, but not the same one again and again. */
    private void say(String line) {
        if (!line.equals(said)) {
            log.accept(line);
        }
        said = line;
    }

    /** The pods of a job that is deleted end together: there is nobody to wait for. */
    private boolean jobExists() throws InterruptedException {
        try {
            return arbiter.exists().get(ARBITER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException unknown) {
            return true;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.ifPresent(Thread::interrupt);
    }
}

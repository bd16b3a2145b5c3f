// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.transport.EventLoop;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.DaemonTurn;
import dev.volary.protocol.machine.Machine;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MachineRunnerTest {
    private static final DaemonEvent HINT = new WorkerEvent.PlatformHint(new WorkerId(1));
    private static final DaemonEvent TICK = new WorkerEvent.Tick();
    private static final DaemonEvent LEAVING = new DaemonEvent.ShutdownRequested();

    private final EventLoop loop = new EventLoop("runner-test");
    private final LinkedBlockingQueue<DaemonEvent> seen = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<DaemonAction> done = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Throwable> broken = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        loop.close();
    }

    private MachineRunner<DaemonEvent, DaemonTurn> runner(Machine<DaemonEvent, DaemonTurn> machine) {
        return new MachineRunner<>(
                (event, turn) -> {
                    seen.add(event);
                    machine.on(event, turn);
                },
                DaemonTurn::new,
                TICK,
                loop,
                turn -> done.addAll(turn.actions()),
                broken::add);
    }

    private static <T> @Nullable T next(LinkedBlockingQueue<T> queue) throws InterruptedException {
        return queue.poll(10, TimeUnit.SECONDS);
    }

    @Test
    void eventsBeforeTheStartWaitAndKeepTheirOrder() throws Exception {
        MachineRunner<DaemonEvent, DaemonTurn> runner = runner((event, turn) -> {});
        runner.offer(HINT);
        runner.offer(LEAVING);
        assertNull(seen.poll(20, TimeUnit.MILLISECONDS));
        runner.start();
        assertEquals(HINT, next(seen));
        assertEquals(LEAVING, next(seen));
        assertEquals(TICK, next(seen));
    }

    @Test
    void aMachineIsWokenAtTheTimeItRequested() throws Exception {
        long pause = Duration.ofMillis(10).toNanos();
        MachineRunner<DaemonEvent, DaemonTurn> runner = runner((event, turn) -> turn.wakeAt(turn.now() + pause));
        runner.start();
        assertEquals(TICK, next(seen));
        long from = System.nanoTime();
        assertEquals(TICK, next(seen));
        assertEquals(TICK, next(seen));
        assertTrue(System.nanoTime() - from >= pause, "it is woken too early");
        runner.close();
    }

    @Test
    void actionsReachTheHandlerAndQueriesReachTheMachine() throws Exception {
        MachineRunner<DaemonEvent, DaemonTurn> runner =
                runner((event, turn) -> turn.add(new WorkerAction.OpenBackupStore()));
        runner.start();
        assertEquals(new WorkerAction.OpenBackupStore(), next(done));
        assertEquals(
                "runner-test",
                runner.ask(() -> Thread.currentThread().getName()).get(10, TimeUnit.SECONDS));
    }

    @Test
    void aFailedMachineIsReportedOnceAndReceivesNoMoreEvents() throws Exception {
        MachineRunner<DaemonEvent, DaemonTurn> runner = runner((event, turn) -> {
            throw new IllegalStateException("a defect");
        });
        runner.start();
        assertInstanceOf(IllegalStateException.class, next(broken));
        runner.offer(HINT);
        assertNull(broken.poll(20, TimeUnit.MILLISECONDS));
        assertEquals(1, seen.size());
    }

    @Test
    void aClosedRunnerDeliversNoMoreEvents() throws Exception {
        MachineRunner<DaemonEvent, DaemonTurn> runner = runner((event, turn) -> {});
        runner.start();
        assertEquals(TICK, next(seen));
        runner.close();
        runner.offer(HINT);
        assertNull(seen.poll(20, TimeUnit.MILLISECONDS));
    }
}

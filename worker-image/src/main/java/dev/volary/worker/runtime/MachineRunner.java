// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import dev.volary.mesh.transport.DeadlineTimer;
import dev.volary.mesh.transport.EventLoop;
import dev.volary.protocol.machine.Machine;
import dev.volary.protocol.machine.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Runs a worker's protocol machine: events in from anywhere, actions out to one handler. It works on the loop of the control
 * messages, so that one of these is received, decided and answered with one waking: where processors are shared, each waking
 * costs more than what is done in it.
 *
 * @param <E> what happens to the machine
 * @param <T> collects the actions of one call of the machine
 */
public final class MachineRunner<E, T extends Turn> implements AutoCloseable {
    private final Machine<E, T> machine;
    private final LongFunction<T> turns;
    private final E tick;
    private final EventLoop loop;
    private final Consumer<T> handler;
    private final Consumer<Throwable> onFailure;
    private final DeadlineTimer timer;
    /** Tasks that came before the start; used on the loop only. */
    private final List<Runnable> beforeStart = new ArrayList<>();

    private boolean started;
    private volatile boolean closed;

    /**
     * @param turns makes the turn of a call at a time
     * @param tick the event that only makes the machine look at the time
     * @param loop of the control messages
     * @param handler carries out the actions of a turn on the loop; must not block
     * @param onFailure called with an error of the machine or the handler, after which the runner has ended
     */
    public MachineRunner(
            Machine<E, T> machine,
            LongFunction<T> turns,
            E tick,
            EventLoop loop,
            Consumer<T> handler,
            Consumer<Throwable> onFailure) {
        this.machine = machine;
        this.turns = turns;
        this.tick = tick;
        this.loop = loop;
        this.handler = handler;
        this.onFailure = onFailure;
        this.timer = loop.timer(() -> step(tick));
    }

    public void start() {
        loop.execute(() -> {
            started = true;
            beforeStart.forEach(Runnable::run);
            beforeStart.clear();
            step(tick);
        });
    }

    /** Hands an event over; from any thread, never blocks. */
    void offer(E event) {
        runOnLoop(() -> step(event));
    }

    /** Queries the machine between two events; completes on the loop, never if the runner has ended. */
    public <A> CompletableFuture<A> ask(Supplier<A> question) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        runOnLoop(() -> {
            if (closed) {
                return;
            }
            try {
                answer.complete(question.get());
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private void runOnLoop(Runnable task) {
        loop.execute(() -> {
            if (started) {
                task.run();
            } else {
                beforeStart.add(task);
            }
        });
    }

    private void step(E event) {
        if (closed) {
            return;
        }
        try {
            T turn = turns.apply(System.nanoTime());
            machine.on(event, turn);
            timer.scheduleAt(turn.wakeUp());
            handler.accept(turn);
        } catch (RuntimeException | Error broken) {
            if (!closed) { // else what it works with may be closed as well
                closed = true;
                onFailure.accept(broken);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}

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
 * @param <T> what one call of the machine may want done
 */
public final class MachineRunner<E, T extends Turn> implements AutoCloseable {
    private final Machine<E, T> machine;
    private final LongFunction<T> turns;
    private final E tick;
    private final EventLoop loop;
    private final Consumer<T> handler;
    private final Consumer<Throwable> onBroken;
    private final DeadlineTimer alarm;
    /** What came before the start; the loop's. */
    private final List<Runnable> early = new ArrayList<>();

    private boolean started;
    private volatile boolean closed;

    /**
     * @param turns makes the turn of a call at a time
     * @param tick tells the machine that time has passed
     * @param loop of the control messages
     * @param handler carries out the actions of a turn on the loop; must not block
     * @param onBroken told of an error of the machine or the handler, after which the agent has ended
     */
    public MachineRunner(
            Machine<E, T> machine,
            LongFunction<T> turns,
            E tick,
            EventLoop loop,
            Consumer<T> handler,
            Consumer<Throwable> onBroken) {
        this.machine = machine;
        this.turns = turns;
        this.tick = tick;
        this.loop = loop;
        this.handler = handler;
        this.onBroken = onBroken;
        this.alarm = loop.alarm(() -> step(tick));
    }

    public void start() {
        loop.execute(() -> {
            started = true;
            early.forEach(Runnable::run);
            early.clear();
            step(tick);
        });
    }

    /** Hands an event over; from any thread, never blocks. */
    void offer(E event) {
        inTurn(() -> step(event));
    }

    /** Looks at the machine between two events; completes on the loop, never if the agent has ended. */
    public <A> CompletableFuture<A> ask(Supplier<A> question) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        inTurn(() -> {
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

    private void inTurn(Runnable task) {
        loop.execute(() -> {
            if (started) {
                task.run();
            } else {
                early.add(task);
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
            alarm.at(turn.wakeUp());
            handler.accept(turn);
        } catch (RuntimeException | Error broken) {
            if (!closed) { // else what it works with may be closed as well
                closed = true;
                onBroken.accept(broken);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}

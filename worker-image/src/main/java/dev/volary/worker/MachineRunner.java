// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker;

import dev.volary.mesh.wire.DeadlineTimer;
import dev.volary.mesh.wire.EventLoop;
import dev.volary.protocol.Action;
import dev.volary.protocol.Event;
import dev.volary.protocol.Machine;
import dev.volary.protocol.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs a worker's protocol machine: events in from anywhere, actions out to one handler. It works on the loop of the control
 * messages, so that one of these is received, decided and answered with one waking: where processors are shared, each waking
 * costs more than what is done in it.
 */
final class MachineRunner implements AutoCloseable {
    private final Machine machine;
    private final EventLoop loop;
    private final Consumer<Action> handler;
    private final Consumer<Throwable> onBroken;
    private final DeadlineTimer alarm;
    /** What came before the start; the loop's. */
    private final List<Runnable> early = new ArrayList<>();

    private boolean started;
    private volatile boolean closed;

    /**
     * @param loop of the control messages
     * @param handler carries out actions on the loop; must not block
     * @param onBroken told of an error of the machine or the handler, after which the agent has ended
     */
    MachineRunner(Machine machine, EventLoop loop, Consumer<Action> handler, Consumer<Throwable> onBroken) {
        this.machine = machine;
        this.loop = loop;
        this.handler = handler;
        this.onBroken = onBroken;
        this.alarm = loop.alarm(() -> step(new Event.Tick()));
    }

    void start() {
        loop.execute(() -> {
            started = true;
            early.forEach(Runnable::run);
            early.clear();
            step(new Event.Tick());
        });
    }

    /** Hands an event over; from any thread, never blocks. */
    void offer(Event event) {
        inTurn(() -> step(event));
    }

    /** Looks at the machine between two events; completes on the loop, never if the agent has ended. */
    <T> CompletableFuture<T> ask(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
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

    private void step(Event event) {
        if (closed) {
            return;
        }
        try {
            Turn turn = new Turn(System.nanoTime());
            machine.on(event, turn);
            alarm.at(turn.wakeUp());
            for (Action action : turn.actions()) {
                handler.accept(action);
            }
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

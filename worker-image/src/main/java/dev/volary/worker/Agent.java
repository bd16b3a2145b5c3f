package dev.volary.worker;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Event;
import dev.volary.protocol.Machine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one thread that runs a worker's protocol machine: events in from anywhere, actions out to one handler. */
final class Agent implements AutoCloseable {
    private final Machine machine;
    private final Consumer<Action> handler;
    private final Consumer<Throwable> onBroken;
    /** Events, and questions about the machine. */
    private final LinkedBlockingQueue<Object> inbox = new LinkedBlockingQueue<>();

    private final Thread thread;
    private volatile boolean closed;

    /**
     * @param handler carries out actions on the agent's thread; must not block
     * @param onBroken told of an error of the machine or the handler, after which the agent has ended
     */
    Agent(Machine machine, Consumer<Action> handler, Consumer<Throwable> onBroken) {
        this.machine = machine;
        this.handler = handler;
        this.onBroken = onBroken;
        this.thread = Thread.ofPlatform().name("agent").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Hands an event over; from any thread, never blocks. */
    void offer(Event event) {
        inbox.add(event);
    }

    /** Looks at the machine between two events; completes on the agent's thread, never if that has ended. */
    <T> CompletableFuture<T> ask(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        inbox.add((Runnable) () -> {
            try {
                answer.complete(question.get());
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private void run() {
        long wake = System.nanoTime();
        try {
            while (!closed) {
                Object item = next(wake);
                if (item instanceof Runnable question) {
                    question.run();
                    continue;
                }
                long now = System.nanoTime();
                Event event;
                if (item == null) {
                    event = new Event.Tick();
                    wake = Long.MAX_VALUE;
                } else {
                    event = (Event) item;
                }
                Actions actions = machine.on(event, now);
                wake = Math.min(wake, actions.wakeUp());
                for (Action action : actions.list()) {
                    handler.accept(action);
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error broken) {
            if (!closed) { // else what it works with may be closed as well
                onBroken.accept(broken);
            }
        }
    }

    private @Nullable Object next(long wake) throws InterruptedException {
        if (wake == Long.MAX_VALUE) {
            return inbox.take();
        }
        return inbox.poll(Math.max(0, wake - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.result;

import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.spawner.ResultKeeper;
import dev.volary.protocol.spawner.ResultKeeper.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A spawner process of a job that is over. While it holds the result, it asks the others again and again who they are, and copies
 * the result if its {@link ResultKeeper} says so; it does one of both at a time.
 */
final class SimulatedHolder {
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration LEAVING_PERIOD = Duration.ofMillis(250);
    /** After which a spawner that does not answer counts as silent. */
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private static final Duration LONGEST_DELAY = Duration.ofMillis(50);
    private static final Duration LATE = Duration.ofSeconds(3);
    private static final Duration LONGEST_COPY = Duration.ofSeconds(5);
    private static final Duration BROKEN_COPY = Duration.ofSeconds(3);

    final Member member;
    final ResultKeepingSimulation simulation;
    private Optional<ResultKeeper> keeper = Optional.empty();
    private boolean lives = true;
    private boolean hasDisk = true;
    private boolean holds;
    private boolean leaving;
    private boolean fetched;
    private boolean isReceiving;

    SimulatedHolder(Member member, ResultKeepingSimulation simulation) {
        this.member = member;
        this.simulation = simulation;
    }

    boolean lives() {
        return lives;
    }

    boolean leaves() {
        return leaving;
    }

    boolean holdsResult() {
        return lives && holds;
    }

    /** Whether its loss is not announced. */
    boolean staysWithResult() {
        return holdsResult() && !leaving;
    }

    /** Whether the result is on its disk, be it running or about to run again. */
    boolean hasResultOnDisk() {
        return hasDisk && holds;
    }

    /** Gives its disk to the next process; returns whether the result is on it. */
    boolean passesDisk() {
        boolean has = hasResultOnDisk();
        hasDisk = false;
        return has;
    }

    /** The result is durable here. */
    void take() {
        holds = true;
        if (keeper.isEmpty()) {
            keeper = Optional.of(ResultKeeper.of(member, simulation.copies(), simulation.queue.now()));
            if (leaving) {
                keeper.get().leave(simulation.queue.now());
            }
            after(PERIOD, this::ask);
        }
    }

    /** A client has the result, and said so. */
    void fetched() {
        fetched = true;
    }

    /** It ends without warning; its disk may outlive it. */
    void die(boolean withDisk) {
        lives = false;
        hasDisk = !withDisk;
    }

    /** SIGTERM: it is killed at the end of the grace period. */
    void evict(Duration grace) {
        if (!lives || leaving) {
            return;
        }
        leaving = true;
        keeper.ifPresent(k -> k.leave(simulation.queue.now()));
        simulation.queue.after(grace.toNanos(), () -> {
            if (lives) {
                simulation.killedAfterGrace(this);
                die(true);
            }
        });
        if (!holds || fetched) {
            die(true);
        } else {
            ask();
        }
    }

    private void after(Duration delay, Runnable what) {
        simulation.queue.after(delay.toNanos(), () -> {
            if (lives) {
                what.run();
            }
        });
    }

    /** One question to all whose names are known, and what follows from their answers. */
    private final class Question {
        private final long begun = simulation.queue.now();
        private final List<Seen> answers = new ArrayList<>();
        private int open;
        private boolean over;

        void ask() {
            List<SimulatedHolder> others = simulation.named(SimulatedHolder.this);
            open = others.size();
            for (SimulatedHolder other : others) {
                Duration there = simulation.upTo(LONGEST_DELAY).plus(simulation.isLate() ? LATE : Duration.ZERO);
                simulation.queue.after(there.toNanos(), () -> arrived(other));
            }
            simulation.queue.after(ANSWER.toNanos(), this::end);
            if (others.isEmpty()) {
                end();
            }
        }

        private void arrived(SimulatedHolder other) {
            if (simulation.isCut(SimulatedHolder.this, other)) {
                return; // silence
            }
            Optional<Seen> answer = other.lives
                    ? Optional.of(new Seen(other.member, other.holds, other.leaving))
                    : Optional.empty(); // its connection is refused
            simulation.queue.after(simulation.upTo(LONGEST_DELAY).toNanos(), () -> {
                answer.ifPresent(answers::add);
                open--;
                if (open == 0) {
                    end();
                }
            });
        }

        private void end() {
            if (!over && lives) {
                over = true;
                SimulatedHolder.this.seen(answers, begun);
            }
        }
    }

    private void ask() {
        new Question().ask();
    }

    private void seen(List<Seen> answers, long begun) {
        ResultKeeper own = keeper.orElseThrow();
        own.seen(answers, begun, simulation.queue.now());
        if (leaving && (fetched || own.isHeldElsewhere())) {
            die(true);
            return;
        }
        Optional<Member> to = fetched ? Optional.empty() : own.nextCopy(simulation.queue.now());
        if (to.isPresent()) {
            copy(simulation.find(to.get().id()), own);
        } else {
            after(leaving ? LEAVING_PERIOD : PERIOD, this::ask);
        }
    }

    private void copy(SimulatedHolder to, ResultKeeper own) {
        boolean breaks = simulation.breaksCopy() || to.isReceiving;
        if (!breaks) {
            to.isReceiving = true;
        }
        Duration takes = breaks ? simulation.upTo(BROKEN_COPY) : simulation.upTo(LONGEST_COPY);
        simulation.queue.after(takes.toNanos(), () -> {
            boolean arrives = !breaks && lives && to.lives && !simulation.isCut(this, to);
            if (!breaks) {
                to.isReceiving = false;
            }
            if (arrives) {
                simulation.copied();
                to.take();
            }
            after(simulation.upTo(LONGEST_DELAY), () -> {
                if (arrives) {
                    own.copied(to.member.id());
                } else {
                    own.failed(simulation.queue.now());
                }
                ask();
            });
        });
    }

    WorkerId id() {
        return member.id();
    }
}

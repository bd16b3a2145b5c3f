// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.halo.RoundSchedule.Turn;
import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.Incarnation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks the invariants of rounds: a block makes each round once, on halos of that round, or after its patience on what it has; it
 * waits no longer than that, and publishes again
 * meanwhile; a halo holds the values of the round that it names; a restored block heals before it publishes.
 */
final class RoundChecker {
    private static final long FIRST_PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long LEAST_PATIENCE_NANOS = Duration.ofMillis(300).toNanos();
    private static final long LONGEST_REST_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long LATEST_AGAIN_NANOS = Duration.ofMillis(200).toNanos();
    private static final int REPEAT_ROUNDS = 2;
    private static final int FIRST_ROUNDS = 3;
    private static final int PATIENCE_ROUNDS = 20;
    private static final int MEASURED_ROUNDS = 9;
    /** Clocks drift, and blocks look at them now and then only. */
    private static final double TIMING_ERROR = 0.1;

    private static final long LATE_NANOS = Duration.ofMillis(30).toNanos();
    private static final int ROUNDS_KEPT = 8;

    /** What one incarnation of a block has done. */
    private static final class Course {
        private long since;
        private long sentAt;
        /** Its last turn: a process that pauses misses turns. */
        private long turnAt;

        private boolean isStarted;
        /** Whether it has started with the job and not iterated yet. */
        private boolean isFirst;

        private long begun = -1;
        private int healing;
        /** Since when it rests; negative if it does not. */
        private long restsSince = -1;

        private boolean hasRestedEnough;
        private final Deque<Long> durations = new ArrayDeque<>();
        private int complete;

        Course(long now) {
            this.since = now;
            this.sentAt = now;
            this.turnAt = now;
        }
    }

    private record Opened(int block, Incarnation incarnation) {}

    private record Way(int from, int to) {}

    private final Consumer<String> violated;
    private final boolean losesNoHalo;
    private final Map<Opened, Course> courses = new HashMap<>();
    private final Map<Way, Deque<Halo>> sent = new HashMap<>();

    /**
     * @param losesNoHalo whether all halos arrive in order: then a block never reads one of the round after its own
     */
    RoundChecker(Consumer<String> violated, boolean losesNoHalo) {
        this.violated = violated;
        this.losesNoHalo = losesNoHalo;
    }

    private Course course(SimulatedBlock block, long now) {
        return courses.computeIfAbsent(new Opened(block.id, block.incarnation), opened -> new Course(now));
    }

    /** A block has been opened; a restored one must make some iterations before it publishes. */
    void opened(SimulatedBlock block, int healing, long now) {
        course(block, now).isFirst = healing == 0;
        restored(block, healing, now);
    }

    /** A block has continued from a copy, and must make this many iterations before it publishes. */
    void restored(SimulatedBlock block, int healing, long now) {
        course(block, now).healing = healing;
    }

    /** It has made one of them. */
    void healed(SimulatedBlock block, long now) {
        course(block, now).healing--;
    }

    /** A block sends a halo. */
    void sent(SimulatedBlock block, Halo halo, long now) {
        if (course(block, now).healing > 0) {
            violated.accept("block " + block.id + " publishes before it has healed");
        }
        course(block, now).sentAt = now;
        Deque<Halo> earlier = sent.computeIfAbsent(new Way(halo.from(), halo.to()), way -> new ArrayDeque<>());
        Halo same = find(earlier, halo.key());
        if (same == null) {
            earlier.addLast(halo);
            if (earlier.size() > ROUNDS_KEPT) {
                earlier.removeFirst();
            }
        } else if (!Arrays.equals(same.values(), halo.values())) {
            violated.accept("block " + halo.from() + " sends two vectors as " + halo.key());
        }
    }

    private static @Nullable Halo find(Deque<Halo> among, BlockVersion key) {
        for (Halo each : among) {
            if (each.key().equals(key)) {
                return each;
            }
        }
        return null;
    }

    /**
     * A block takes a halo into use.
     *
     * @param before the one that it replaces
     * @param isMatched whether the block reads halos of its round, not the newest ones
     */
    void haloUsed(SimulatedBlock block, @Nullable Halo before, Halo halo, boolean isMatched) {
        Halo claimed = find(sent.getOrDefault(new Way(halo.from(), halo.to()), new ArrayDeque<>()), halo.key());
        if (claimed != null && !Arrays.equals(claimed.values(), halo.values())) {
            violated.accept(
                    "block " + block.id + " reads other values than " + halo.key() + " of block " + halo.from());
        }
        if (halo.key().step() != block.step()) {
            violated.accept("block " + block.id + " in step " + block.step() + " reads " + halo.key());
        }
        if (isMatched
                && before != null
                && before.key().step() == block.step()
                && before.key().iteration() == block.iteration
                && before.key().incarnation().equals(halo.key().incarnation())) {
            violated.accept("block " + block.id + " has a halo of round " + block.iteration + " from block "
                    + halo.from() + " and reads one of round " + halo.key().iteration());
        }
    }

    /** What a block does in its turn. */
    void decided(SimulatedBlock block, Turn turn, long now) {
        Course course = course(block, now);
        if (!course.isStarted) {
            course.isStarted = true;
            course.since = now;
        }
        switch (turn) {
            case WAIT -> {
                if (now - course.since > (1 + TIMING_ERROR) * longestPatience(course) + LATE_NANOS) {
                    violated.accept(
                            "block " + block.id + " waits for round " + block.iteration + " beyond its patience");
                }
                if (!block.incoming.isEmpty()
                        && course.healing == 0
                        && course.turnAt - Math.max(course.since, course.sentAt) > longestSilence(course)) {
                    violated.accept("block " + block.id + " waits for round " + block.iteration
                            + " and does not publish again what may be lost");
                }
            }
            case REST -> {
                course.since = now;
                if (course.restsSince < 0) {
                    course.restsSince = now;
                }
            }
            case HEAL, JOIN, ITERATE -> {
                // Reported when it begins.
            }
        }
        course.hasRestedEnough =
                course.restsSince >= 0 && now - course.restsSince >= (1 - TIMING_ERROR) * LONGEST_REST_NANOS;
        if (turn != Turn.REST) {
            course.restsSince = -1;
        }
        course.turnAt = now;
    }

    /** A block begins an iteration that it will publish, with these halos in use. */
    void begun(SimulatedBlock block, List<@Nullable Halo> halos, boolean isComplete, long now) {
        Course course = course(block, now);
        if (block.iteration <= course.begun) {
            violated.accept("block " + block.id + " makes round " + block.iteration + " a second time");
        }
        course.begun = block.iteration;
        boolean isFirst = course.isFirst;
        course.isFirst = false;
        if (isFirst) {
            if (!halos.stream().allMatch(Objects::isNull)) {
                violated.accept("block " + block.id + " reads halos in its first iteration");
            }
            return;
        }
        for (Halo halo : halos) {
            boolean isOfRound = halo != null
                    && halo.key().step() == block.step()
                    && (halo.key().iteration() == block.iteration || halo.key().iteration() == block.iteration + 1);
            if (isComplete && !isOfRound) {
                violated.accept("block " + block.id + " takes round " + block.iteration + " for complete with "
                        + (halo == null ? "no halo" : halo.key()));
            }
            boolean isNext = isOfRound && halo.key().iteration() > block.iteration;
            if (losesNoHalo && isComplete && isNext) {
                violated.accept("block " + block.id + " has lost a halo of round " + block.iteration
                        + " that had arrived, and reads " + halo.key() + " of block " + halo.from());
            }
        }
        if (!isComplete && !course.hasRestedEnough && now - course.since < (1 - TIMING_ERROR) * leastPatience(course)) {
            violated.accept("block " + block.id + " does not wait for the halos of round " + block.iteration);
        }
    }

    /** It has completed an iteration. */
    void iterated(SimulatedBlock block, boolean wasComplete, long now) {
        Course course = course(block, now);
        if (wasComplete) {
            course.complete++;
            course.durations.addLast(now - course.since);
            if (course.durations.size() > MEASURED_ROUNDS) {
                course.durations.removeFirst();
            }
        }
        course.since = now;
    }

    /** It counts on from a later round. */
    void joined(SimulatedBlock block, long now) {
        Course course = course(block, now);
        course.isFirst = false;
        course.since = now;
    }

    /** It begins a time step, with values as good as those of all others. */
    void stepBegun(SimulatedBlock block, long now) {
        Course course = course(block, now);
        course.isFirst = false;
        course.begun = -1;
        course.healing = 0;
        course.since = now;
    }

    private static long longestSilence(Course course) {
        long rounds = course.durations.isEmpty() ? 0 : REPEAT_ROUNDS * Collections.max(course.durations);
        return (long) ((1 + TIMING_ERROR) * Math.max(LATEST_AGAIN_NANOS, rounds)) + LATE_NANOS;
    }

    private static long leastPatience(Course course) {
        return course.complete < FIRST_ROUNDS
                ? FIRST_PATIENCE_NANOS
                : Math.max(LEAST_PATIENCE_NANOS, PATIENCE_ROUNDS * Collections.min(course.durations));
    }

    private static long longestPatience(Course course) {
        return course.complete < FIRST_ROUNDS
                ? FIRST_PATIENCE_NANOS
                : Math.max(LEAST_PATIENCE_NANOS, PATIENCE_ROUNDS * Collections.max(course.durations));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.leader.SpawnerTurns;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the result of a job that is over on as many spawners as before, until a client has it: a holder that sees too few others
 * copies it to a spawner that lacks it. A holder that is about to end counts no more, and wants one other holder itself. Pure, and
 * like the machines confined to one thread.
 */
public final class ResultKeeper {
    /**
     * Another spawner that answers.
     *
     * @param holds whether the whole result is durable there
     * @param leaving whether it is about to end
     */
    public record Seen(Member spawner, boolean holds, boolean leaving) {
        boolean keeps() {
            return holds && !leaving;
        }
    }

    private static final Duration RETRY = Duration.ofSeconds(5);
    /** An answer may take a few seconds; a replacement needs about as long to start. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Member self;
    private final int wanted;
    private final long pause;
    private final long patience;
    private final SpawnerTurns turns = new SpawnerTurns();
    private List<Seen> others = List.of();
    private boolean copying;
    private boolean leaving;
    private long leavesAt;
    /** Since when too few others have held it. */
    private long tooFewSince;

    private long nextAt;

    /**
     * @param copies how many spawners shall hold the result, with this one
     * @param retry pause after a failure
     * @param patience how long a holder may be silent before another spawner gets a copy
     */
    ResultKeeper(Member self, int copies, Duration retry, Duration patience, long now) {
        this.self = self;
        this.wanted = copies - 1;
        this.pause = retry.toNanos();
        this.patience = patience.toNanos();
        this.tooFewSince = now;
    }

    /** Retries after 5 s, and is patient for 10 s. */
    public static ResultKeeper of(Member self, int copies, long now) {
        return new ResultKeeper(self, copies, RETRY, PATIENCE, now);
    }

    /**
     * This spawner is about to end, and says so whoever asks from now on. What it has seen before counts no more: if two holders
     * leave at the same time, at least one of them sees that the other one does.
     */
    public void leave(long now) {
        if (!leaving) {
            leaving = true;
            leavesAt = now;
            others = List.of();
        }
    }

    /**
     * Takes who answers.
     *
     * @param begun when the first of them was asked
     */
    public void seen(List<Seen> answering, long begun, long now) {
        if (leaving && begun < leavesAt) {
            return;
        }
        boolean wereEnough = keepers() >= wanted;
        others = List.copyOf(answering);
        if (wereEnough && keepers() < wanted) {
            tooFewSince = now;
        }
    }

    /** Whether a spawner that stays holds the result beside this one. */
    public boolean isHeldElsewhere() {
        return keepers() > 0;
    }

    /** The spawner that the result is to be copied to now, if there is one; {@link #copied} or {@link #failed} must follow. */
    public Optional<Member> nextCopy(long now) {
        boolean isNeeded = leaving ? !isHeldElsewhere() : keepers() < wanted && now - tooFewSince >= patience;
        if (!isNeeded || copying || now < nextAt) {
            return Optional.empty();
        }
        List<Member> without = others.stream()
                .filter(other -> !other.holds && !other.leaving)
                .map(Seen::spawner)
                .sorted(Comparator.comparing((Member other) -> !other.isOnAnotherMachine(self))
                        .thenComparing(Member::id))
                .toList();
        if (without.isEmpty()) {
            return Optional.empty();
        }
        copying = true;
        return Optional.of(turns.next(without));
    }

    /** A spawner has a durable copy. */
    public void copied(WorkerId to) {
        copying = false;
        List<Seen> now = new ArrayList<>();
        for (Seen other : others) {
            now.add(other.spawner.id().equals(to) ? new Seen(other.spawner, true, other.leaving) : other);
        }
        others = List.copyOf(now);
    }

    /** A spawner has no copy. */
    public void failed(long now) {
        copying = false;
        nextAt = now + pause;
    }

    private long keepers() {
        return others.stream().filter(Seen::keeps).count();
    }
}

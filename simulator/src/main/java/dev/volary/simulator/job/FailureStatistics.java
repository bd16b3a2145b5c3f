// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.WorkerId;
import dev.volary.simulator.check.FailureTotals;
import dev.volary.simulator.scenario.FailureModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Counts what failures and their repair cost. It sees the true state of the simulation, not the view of a worker. */
public final class FailureStatistics {
    private final Map<WorkerId, Long> diedAt = new HashMap<>();
    private final Map<Integer, Long> lostAt = new HashMap<>();
    private final Map<Integer, Long> progress = new HashMap<>();
    private final Map<Integer, WorkerId> owners = new HashMap<>();
    private final List<Duration> detections = new ArrayList<>();
    private final List<Duration> standstills = new ArrayList<>();
    private int daemonsKilled;
    private int spawnersKilled;
    private int left;
    private int pauses;
    private int evicted;
    private int declared;
    private int falseVerdicts;
    private int byStandby;
    private int bySurvivor;
    private int restored;
    private int restarted;
    private int takeovers;
    private int parked;
    private int rollbacks;
    private int steps;
    private long lostIterations;
    private long messages;
    private long halos;
    private double daemonSeconds;
    private final Set<Integer> iterating = new HashSet<>();
    private OptionalLong allIterating = OptionalLong.empty();

    // ---- faults ----------------------------------------------------------------------------------------------------

    /** The failure model injected a fault into a worker. */
    void injected(SimulatedWorker victim, FailureModel.Failure failure) {
        boolean isSpawner = victim instanceof SimulatedSpawner;
        switch (failure) {
            case FailureModel.Failure.Pause pause -> pauses++;
            case FailureModel.Failure.Crash death -> {
                daemonsKilled += isSpawner ? 0 : 1;
                spawnersKilled += isSpawner ? 1 : 0;
            }
            case FailureModel.Failure.Leave leave -> {
                left += isSpawner ? 0 : 1;
                spawnersKilled += isSpawner ? 1 : 0;
            }
        }
    }

    /** A worker that was evicted restarts. */
    void evicted() {
        evicted++;
    }

    /** A worker process has ended, for any reason. */
    void ended(SimulatedWorker node, long now) {
        if (node instanceof SimulatedDaemon daemon) {
            lived(daemon, now);
            diedAt.put(node.member.id(), now);
            daemon.blocks().stream()
                    .filter(block -> node.member.id().equals(owners.get(block)))
                    .forEach(block -> lostAt.putIfAbsent(block, now));
        }
    }

    /** A daemon lived until now. */
    public void lived(SimulatedDaemon daemon, long now) {
        daemonSeconds += (now - daemon.startedAt) / 1e9;
    }

    // ---- what workers do -------------------------------------------------------------------------------------------

    /** A daemon has sent a control message. */
    void sent() {
        messages++;
    }

    /** A daemon has sent a halo over the network. */
    void sentHalo() {
        halos++;
    }

    /** A block has completed this number of iterations, in all. */
    void iterated(int block, long completed, long now) {
        progress.put(block, completed);
        if (iterating.add(block)) {
            allIterating = OptionalLong.of(now);
        }
        Optional.ofNullable(lostAt.remove(block)).ifPresent(at -> standstills.add(Duration.ofNanos(now - at)));
    }

    /**
     * A daemon has opened a block.
     *
     * @param again it was open before, here or elsewhere
     * @param from iterations that it goes on from; none if it begins from its start values
     * @param idle the daemon has no other block
     */
    void opened(int block, WorkerId daemon, boolean again, Optional<Long> from, boolean idle) {
        WorkerId before = owners.put(block, daemon);
        if (!again) {
            return;
        }
        if (!daemon.equals(before)) {
            byStandby += idle ? 1 : 0;
            bySurvivor += idle ? 0 : 1;
        }
        restored += from.isPresent() ? 1 : 0;
        restarted += from.isPresent() ? 0 : 1;
        lostIterations += Math.max(0, progress.getOrDefault(block, 0L) - from.orElse(0L));
        progress.put(block, from.orElse(0L));
    }

    /**
     * A worker published an event.
     *
     * @param lives whether the daemon of the event lives
     */
    void emitted(JobEvent event, boolean lives, long now) {
        switch (event) {
            case JobEvent.DaemonLost lost -> {
                declared++;
                boolean inOrder = lost.cause() == FailureVerdict.Cause.LEFT;
                falseVerdicts += lives && !inOrder ? 1 : 0;
                Optional.ofNullable(diedAt.remove(lost.daemon()))
                        .filter(at -> !inOrder)
                        .ifPresent(at -> detections.add(Duration.ofNanos(now - at)));
            }
            case JobEvent.GroupTakenOver taken -> takeovers++;
            case JobEvent.BlocksParked blocks -> parked += blocks.blocks().size();
            case JobEvent.RolledBack back -> rollbacks++;
            case JobEvent.StepCommitted committed -> steps = Math.max(steps, committed.step());
            default -> {}
        }
    }

    /** The totals until now. */
    public FailureTotals totals() {
        return new FailureTotals(
                daemonsKilled,
                spawnersKilled,
                left,
                pauses,
                evicted,
                declared,
                falseVerdicts,
                detections,
                standstills,
                byStandby,
                bySurvivor,
                restored,
                restarted,
                parked,
                takeovers,
                rollbacks,
                lostIterations);
    }

    /** When the last of all blocks had completed its first iteration, as far as they iterate; empty while none does. */
    public OptionalLong allIterating() {
        return allIterating;
    }

    /** Time steps committed before the last one. */
    int steps() {
        return steps;
    }

    /** Control messages that a daemon sends in a second. */
    public double messagesPerSecond() {
        return daemonSeconds > 0 ? messages / daemonSeconds : 0;
    }

    /** Halos that a daemon sends to others in a second. */
    public double halosPerSecond() {
        return daemonSeconds > 0 ? halos / daemonSeconds : 0;
    }
}

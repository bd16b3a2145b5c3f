// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.message.LogEntry;
import dev.volary.protocol.message.LogMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.message.SnapshotMessage;
import dev.volary.protocol.message.StepMessage;
import dev.volary.protocol.message.Stop;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.simulator.scenario.FaultPlan.FaultKind;
import dev.volary.simulator.scenario.StorageModel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Injects faults into the leader at certain messages and at the steps between its verdict and the end of the job. */
final class LeaderFaults {
    /** Of the parts of a job, about. */
    private static final int PIECES = 60;

    private static final int MOST_DEATHS = 4;
    /** Assembly begins and ends, a copy begins and ends. */
    private static final int DELIVERY_STEPS = 4;
    /** Those, and the publication begins and ends. */
    private static final int PUBLICATION_STEPS = 6;
    /** Probability of a death at each message of a commit. */
    private static final double IN_COMMIT = 0.06;

    private final SimulationState simulation;
    private final FaultKind kind;
    private final WorkerCrashes crashes;
    private final NetworkCuts cuts;
    private int deaths;
    /** Messages or steps so far that the fault of the scenario may follow. */
    private int steps;

    private int pieces;

    private boolean silenced;

    LeaderFaults(SimulationState simulation, WorkerCrashes crashes, NetworkCuts cuts) {
        this.simulation = simulation;
        this.kind = simulation.scenario.faultPlan().kind();
        this.crashes = crashes;
        this.cuts = cuts;
    }

    // ---- messages --------------------------------------------------------------------------------------------------

    /** A worker is about to send a control message: the leader's verdict may not get through, or late. */
    void sends(SimulatedWorker worker, Message message) {
        if (!isVerdict(message) || !simulation.leads(worker) || simulation.checker.hasEnded()) {
            return;
        }
        // It is either the first of these messages that gets through, or none.
        if (kind == FaultKind.LEADER_CUT_AT_VERDICT && ++steps == 1 + simulation.seed % 2) {
            cuts.isolate(worker.member.id());
        } else if (kind == FaultKind.LEADER_LATE_AT_VERDICT && ++steps == 1) {
            cuts.holdUp(worker.member.id());
        }
    }

    private static boolean isVerdict(Message message) {
        return message instanceof LogMessage.Append append
                && append.records().stream().anyMatch(LogEntry.SnapshotVerdict.class::isInstance);
    }

    /** A spawner stands for election: messages of the previous leader that were held up arrive now, and then nothing more. */
    void stands(SimulatedSpawner candidate) {
        if (kind == FaultKind.LEADER_LATE_AT_VERDICT && steps > 0 && !silenced && !simulation.leads(candidate)) {
            silenced = true;
            cuts.releaseHeldUp();
            simulation.spawners().stream()
                    .filter(simulation::leads)
                    .forEach(leader -> cuts.silence(leader.member.id()));
        }
    }

    /** A worker has sent a control message, which is on its way: the leader may die right after it. */
    void sent(SimulatedWorker worker, Message message) {
        if (kind == FaultKind.LEADER_IN_COMMIT) {
            sentInCommit(worker, message);
        } else if (kind == FaultKind.LEADER_AT_MESSAGE
                && simulation.leads(worker)
                && !simulation.checker.hasEnded()
                && isStepOfSnapshot(message)
                && ++steps == simulation.seed) {
            crashes.killSpawners(Set.of(worker));
        }
    }

    private void sentInCommit(SimulatedWorker worker, Message message) {
        int most = simulation.scenario.spools() > 0 ? simulation.scenario.spools() - 1 : MOST_DEATHS;
        if (isStepOfCommit(message)
                && deaths < most
                && simulation.leads(worker)
                && simulation.random.nextDouble() < IN_COMMIT) {
            deaths++;
            crashes.killSpawners(Set.of(worker));
        }
    }

    private static boolean isStepOfCommit(Message message) {
        return switch (message) {
            case SnapshotMessage.SnapshotStore m -> true;
            case LogMessage.Append m -> m.records().stream().anyMatch(LogEntry.StepCommitted.class::isInstance);
            case StepMessage.StepCommit m -> true;
            default -> false;
        };
    }

    private static boolean isStepOfSnapshot(Message message) {
        return switch (message) {
            case TakeoverMessage.Plan m -> true;
            case LogMessage.Append m -> true;
            case SnapshotMessage.RecordBlocks m -> true;
            case SnapshotMessage.Reevaluate m -> true;
            case SnapshotMessage.Discard m -> true;
            case SnapshotMessage.SnapshotStore m -> true;
            case Stop m -> true;
            default -> false;
        };
    }

    // ---- delivery --------------------------------------------------------------------------------------------------

    /** A spawner takes a step between the verdict and the end of the job; the seed says at which one the fault happens. */
    void delivers(SimulatedSpawner spawner) {
        switch (kind) {
            case LEADER_IN_DELIVERY, HOLDER_IN_FETCH -> {
                if (isDeliveryStep(spawner)) {
                    crashes.killSpawners(Set.of(spawner));
                }
            }
            case HOLDERS_IN_DELIVERY -> {
                if (isDeliveryStep(spawner)) {
                    killHolders(spawner);
                }
            }
            case BEFORE_DEADLINE -> {
                if (simulation.seed % 4 == 1 && isDeliveryStep(spawner)) {
                    crashes.killSpawners(Set.of(spawner));
                } else if (simulation.seed % 4 == 2 && isDeliveryStep(spawner)) {
                    killHolders(spawner);
                }
            }
            case LEADER_CUT_IN_DELIVERY -> {
                if (isDeliveryStep(spawner)) {
                    cuts.isolate(spawner.member.id());
                }
            }
            default -> {
                // The delivery is not what the scenario disturbs.
            }
        }
    }

    private void killHolders(SimulatedSpawner spawner) {
        Set<SimulatedSpawner> holders = new LinkedHashSet<>(List.of(spawner));
        holders.addAll(simulation.partHolders());
        crashes.killSpawners(holders);
    }

    /** A leader fetches a piece of a part: a holder may die, once the first leader is dead. */
    void fetches(SimulatedSpawner spawner) {
        if (kind == FaultKind.HOLDER_IN_FETCH
                && !simulation.checker.hasEnded()
                && pieces++ == simulation.seed % PIECES) {
            simulation.partHolders().stream()
                    .filter(holder -> holder != spawner)
                    .findFirst()
                    .ifPresent(holder -> crashes.killSpawners(Set.of(holder)));
        }
    }

    private boolean isDeliveryStep(SimulatedSpawner spawner) {
        int all = simulation.scenario.storage() == StorageModel.NONE ? DELIVERY_STEPS : PUBLICATION_STEPS;
        return simulation.leads(spawner) && steps++ == simulation.seed % all && !simulation.checker.hasEnded();
    }
}

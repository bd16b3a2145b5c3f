// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.job.resource.DaemonStatus;
import dev.volary.job.resource.Phase;
import dev.volary.operator.pod.ObservedNode;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodRole;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.pod.PodZone;
import dev.volary.operator.spawner.JobReport;
import dev.volary.operator.status.ConditionReason;
import dev.volary.operator.status.ConditionType;
import dev.volary.operator.status.Conditions;
import dev.volary.operator.status.EventReason;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Updates the number of daemons and the conditions Ready, Complete, Stalled, Degraded, Converged, Failed and ZonesKnown. */
final class UpdateConditions implements ReconcileStep {
    @Override
    public void apply(JobObservation observation, ReconcilePlan plan) {
        int running = running(observation, PodRole.DAEMON);
        int wanted = observation.spec().daemons().computing();
        int busy = observation.report().map(r -> r.busy().size()).orElse(0);
        int standby = observation.report().map(r -> r.standby().size()).orElse(Math.max(0, running - wanted));
        int counted = (int) observation.counted(PodRole.DAEMON).count();
        plan.change(next -> next.daemons = new DaemonStatus(
                wanted,
                Math.min(counted, wanted),
                observation.report().isPresent() ? Math.min(busy, counted) : 0,
                standby));
        plan.condition(ConditionType.Failed, false, ConditionReason.NotFailed, "");
        plan.condition(ConditionType.Converged, false, ConditionReason.NotYetCertified, "");
        plan.condition(ConditionType.Complete, false, ConditionReason.NotComplete, "");
        Optional<PodProblem> problem = PodProblem.of(observation);
        if (plan.phase() == Phase.Forming || plan.phase() == Phase.Running) {
            problem.filter(t -> isNew(t, observation))
                    .ifPresent(t -> plan.add(new OperatorAction.PublishEvent(EventReason.WorkerBlocked, t.message())));
        }
        ready(observation, plan, running, problem);
        stalled(observation, plan, problem);
        degraded(observation, plan, running, problem);
        zones(observation, plan);
    }

    /** Whether no condition shows it yet. The executor publishes the events of rejected pods itself. */
    private static boolean isNew(PodProblem problem, JobObservation observation) {
        return observation.rejection().isEmpty()
                && !Conditions.show(observation.status().conditions(), problem.reason());
    }

    private static void ready(
            JobObservation observation, ReconcilePlan plan, int running, Optional<PodProblem> problem) {
        if (!observation.errors().isEmpty()) {
            return; // shown already
        }
        int minimum = observation.spec().daemons().minimum();
        switch (plan.phase()) {
            case Running -> {
                if (running >= minimum) {
                    plan.condition(ConditionType.Ready, true, ConditionReason.EnoughDaemons, "");
                } else {
                    String message = running + " of at least " + minimum + " daemons compute; they continue";
                    plan.condition(ConditionType.Ready, false, ConditionReason.TooFewDaemons, message);
                }
            }
            case Suspending -> plan.condition(ConditionType.Ready, false, ConditionReason.Suspending, "");
            case Suspended -> plan.condition(ConditionType.Ready, false, ConditionReason.NoPods, "");
            case Pending, Forming, Succeeded, Failed -> {
                String expected = plan.phase().isFinal() ? "" : String.join("; ", observation.warnings());
                plan.condition(
                        ConditionType.Ready,
                        false,
                        problem.map(PodProblem::reason).orElse(ConditionReason.Forming),
                        problem.map(PodProblem::message).orElse(expected));
            }
        }
    }

    /** A job that computes is not stalled, whatever its replacements wait for. */
    private static void stalled(JobObservation observation, ReconcilePlan plan, Optional<PodProblem> problem) {
        if (!observation.errors().isEmpty() && plan.phase() == Phase.Pending) {
            return; // shown already
        }
        Optional<PodProblem> obstacle = problem.filter(PodProblem::isLasting);
        if (plan.phase() == Phase.Forming && obstacle.isPresent()) {
            plan.stall(obstacle.get().reason(), obstacle.get().message());
        } else {
            plan.resume();
        }
    }

    private static void degraded(
            JobObservation observation, ReconcilePlan plan, int running, Optional<PodProblem> problem) {
        if (plan.phase() != Phase.Running) {
            if (Conditions.holds(plan.status().conditions(), ConditionType.Degraded)) {
                plan.condition(ConditionType.Degraded, false, ConditionReason.Complete, "");
            }
            return;
        }
        int wanted = ScaleWorkers.wantedDaemons(observation.spec());
        int spawners = running(observation, PodRole.SPAWNER);
        int wantedSpawners = observation.spec().spawnerCount();
        int copies = observation.spec().checkpoint().copies();
        Optional<JobReport> report = observation.report();
        if (problem.isPresent()) {
            degrade(plan, problem.get().reason(), problem.get().message());
        } else if (report.filter(r -> r.parked() > 0).isPresent()) {
            degrade(plan, ConditionReason.BlocksParked, report.get().parked() + " blocks are parked");
        } else if (running < wanted) {
            degrade(plan, ConditionReason.FewerDaemons, running + " of " + wanted + " daemons run, including standbys");
        } else if (spawners < wantedSpawners) {
            degrade(plan, ConditionReason.FewerSpawners, spawners + " of " + wantedSpawners + " spawners run");
        } else if (report.filter(r -> r.backups() > 0 && r.backups() < copies).isPresent()) {
            degrade(
                    plan,
                    ConditionReason.FewerCopies,
                    report.get().backups() + " of " + copies + " backups of each block exist");
        } else {
            plan.condition(ConditionType.Degraded, false, ConditionReason.Complete, "");
        }
    }

    /** Workers read their zone from a label of their pod, which older API servers do not copy from the node. */
    private static void zones(JobObservation observation, ReconcilePlan plan) {
        List<ObservedPod> hidden = withZone(observation, PodZone.HIDDEN);
        List<ObservedPod> unreadable = withZone(observation, PodZone.UNREADABLE);
        if (!hidden.isEmpty()) {
            plan.condition(
                    ConditionType.ZonesKnown,
                    false,
                    ConditionReason.ZonesHidden,
                    hidden.size() + " pods, such as " + hidden.getFirst().name() + ", do not carry the label "
                            + ObservedNode.ZONE + " of their nodes");
        } else if (!unreadable.isEmpty()) {
            plan.condition(
                    ConditionType.ZonesKnown,
                    false,
                    ConditionReason.ZonesUnreadable,
                    unreadable.size() + " pods, such as "
                            + unreadable.getFirst().name() + ", have no label " + ObservedNode.ZONE
                            + ", and this operator may not read nodes");
        } else if (Conditions.find(plan.status().conditions(), ConditionType.ZonesKnown)
                        .isPresent()
                && !withZone(observation, PodZone.LABELED).isEmpty()) {
            plan.condition(ConditionType.ZonesKnown, true, ConditionReason.ZonesLabeled, "");
        }
    }

    private static List<ObservedPod> withZone(JobObservation observation, PodZone zone) {
        return Stream.of(PodRole.values())
                .flatMap(observation::counted)
                .filter(pod -> pod.zone() == zone)
                .toList();
    }

    private static void degrade(ReconcilePlan plan, ConditionReason reason, String message) {
        plan.condition(ConditionType.Degraded, true, reason, message);
    }

    private static int running(JobObservation observation, PodRole role) {
        return (int) observation
                .counted(role)
                .filter((ObservedPod p) -> PodClassifier.state(p) == PodState.RUNNING)
                .count();
    }
}

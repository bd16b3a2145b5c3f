// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.job.resource.DaemonStatus;
import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Conditions;
import dev.volary.operator.job.EventReason;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.JobReport;
import java.util.Optional;

/** Says in counts and conditions how the job fares. */
final class UpdateConditions implements ReconcileStep {
    @Override
    public void take(JobObservation seen, ReconcilePlan draft) {
        int running = running(seen, Role.DAEMON);
        int wanted = seen.spec().daemons().computing();
        int busy = seen.report().map(r -> r.busy().size()).orElse(0);
        int standby = seen.report().map(r -> r.standby().size()).orElse(Math.max(0, running - wanted));
        int held = (int) seen.held(Role.DAEMON).count();
        draft.change(next -> next.daemons = new DaemonStatus(
                wanted, Math.min(held, wanted), seen.report().isPresent() ? Math.min(busy, held) : 0, standby));
        draft.condition(ConditionType.Failed, false, ConditionReason.NotFailed, "");
        draft.condition(ConditionType.Converged, false, ConditionReason.NotYetCertified, "");
        Optional<PodProblem> trouble = PodProblem.of(seen);
        if (draft.phase() == Phase.Forming || draft.phase() == Phase.Running) {
            trouble.filter(t -> isNews(t, seen))
                    .ifPresent(t -> draft.then(new OperatorAction.Tell(EventReason.WorkerBlocked, t.message())));
        }
        ready(seen, draft, running, trouble);
        degraded(seen, draft, running, trouble);
    }

    /** Whether no condition has named it so far; a refused pod is told of by whoever was refused. */
    private static boolean isNews(PodProblem trouble, JobObservation seen) {
        return seen.refusal().isEmpty()
                && seen.status().conditions().stream()
                        .noneMatch(c -> c.getReason().equals(trouble.reason().name()));
    }

    private static void ready(JobObservation seen, ReconcilePlan draft, int running, Optional<PodProblem> trouble) {
        if (!seen.faults().isEmpty()) {
            return; // said already
        }
        int minimum = seen.spec().daemons().minimum();
        switch (draft.phase()) {
            case Running -> {
                if (running >= minimum) {
                    draft.condition(ConditionType.Ready, true, ConditionReason.EnoughDaemons, "");
                } else {
                    String message = running + " of at least " + minimum + " daemons run; those go on";
                    draft.condition(ConditionType.Ready, false, ConditionReason.TooFewDaemons, message);
                }
            }
            case Suspending -> draft.condition(ConditionType.Ready, false, ConditionReason.Suspending, "");
            case Suspended -> draft.condition(ConditionType.Ready, false, ConditionReason.NoPods, "");
            case Pending, Forming, Succeeded, Failed ->
                draft.condition(
                        ConditionType.Ready,
                        false,
                        trouble.map(PodProblem::reason).orElse(ConditionReason.Forming),
                        trouble.map(PodProblem::message).orElse(""));
        }
    }

    private static void degraded(JobObservation seen, ReconcilePlan draft, int running, Optional<PodProblem> trouble) {
        if (draft.phase() != Phase.Running) {
            if (Conditions.holds(draft.status().conditions(), ConditionType.Degraded)) {
                draft.condition(ConditionType.Degraded, false, ConditionReason.Complete, "");
            }
            return;
        }
        int wanted = ScaleWorkers.wantedDaemons(seen.spec());
        int spawners = running(seen, Role.SPAWNER);
        int wantedSpawners = seen.spec().spawnerCount();
        int copies = seen.spec().checkpoint().copies();
        Optional<JobReport> report = seen.report();
        if (trouble.isPresent()) {
            degrade(draft, trouble.get().reason(), trouble.get().message());
        } else if (report.filter(r -> r.parked() > 0).isPresent()) {
            degrade(draft, ConditionReason.BlocksParked, report.get().parked() + " blocks wait for a daemon");
        } else if (running < wanted) {
            degrade(draft, ConditionReason.FewerDaemons, running + " of " + wanted + " daemons run, standbys included");
        } else if (spawners < wantedSpawners) {
            degrade(draft, ConditionReason.FewerSpawners, spawners + " of " + wantedSpawners + " spawners run");
        } else if (report.filter(r -> r.copies() > 0 && r.copies() < copies).isPresent()) {
            degrade(draft, ConditionReason.FewerCopies, report.get().copies() + " of " + copies + " copies are held");
        } else {
            draft.condition(ConditionType.Degraded, false, ConditionReason.Complete, "");
        }
    }

    private static void degrade(ReconcilePlan draft, ConditionReason reason, String message) {
        draft.condition(ConditionType.Degraded, true, reason, message);
    }

    private static int running(JobObservation seen, Role role) {
        return (int) seen.held(role)
                .filter((ObservedPod p) -> PodClassifier.judge(p) == PodState.RUNNING)
                .count();
    }
}

package dev.volary.operator.step;

import dev.volary.job.resource.DaemonStatus;
import dev.volary.job.resource.Phase;
import dev.volary.operator.job.ConditionType;
import dev.volary.operator.job.Conditions;
import dev.volary.operator.job.Happening;
import dev.volary.operator.job.Reason;
import dev.volary.operator.pod.PodFacts;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.pod.PodTable;
import dev.volary.operator.pod.Role;
import dev.volary.operator.spawner.Report;
import java.util.Optional;

/** Says in counts and conditions how the job fares. */
final class JudgeConditions implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        int running = running(seen, Role.DAEMON);
        int wanted = seen.spec().daemons().computing();
        int busy = seen.report().map(r -> r.busy().size()).orElse(0);
        int standby = seen.report().map(r -> r.standby().size()).orElse(Math.max(0, running - wanted));
        int held = (int) seen.held(Role.DAEMON).count();
        draft.change(next -> next.daemons = new DaemonStatus(
                wanted, Math.min(held, wanted), seen.report().isPresent() ? Math.min(busy, held) : 0, standby));
        draft.condition(ConditionType.Failed, false, Reason.NotFailed, "");
        draft.condition(ConditionType.Converged, false, Reason.NotYetCertified, "");
        Optional<Trouble> trouble = Trouble.of(seen);
        if (draft.phase() == Phase.Forming || draft.phase() == Phase.Running) {
            trouble.filter(t -> isNews(t, seen))
                    .ifPresent(t -> draft.then(new Action.Tell(Happening.WorkerBlocked, t.message())));
        }
        ready(seen, draft, running, trouble);
        degraded(seen, draft, running, trouble);
    }

    /** Whether no condition has named it so far; a refused pod is told of by whoever was refused. */
    private static boolean isNews(Trouble trouble, Seen seen) {
        return seen.refusal().isEmpty()
                && seen.status().conditions().stream()
                        .noneMatch(c -> c.getReason().equals(trouble.reason().name()));
    }

    private static void ready(Seen seen, Draft draft, int running, Optional<Trouble> trouble) {
        if (!seen.faults().isEmpty()) {
            return; // said already
        }
        int minimum = seen.spec().daemons().minimum();
        switch (draft.phase()) {
            case Running -> {
                if (running >= minimum) {
                    draft.condition(ConditionType.Ready, true, Reason.EnoughDaemons, "");
                } else {
                    String message = running + " of at least " + minimum + " daemons run; those go on";
                    draft.condition(ConditionType.Ready, false, Reason.TooFewDaemons, message);
                }
            }
            case Suspending -> draft.condition(ConditionType.Ready, false, Reason.Suspending, "");
            case Suspended -> draft.condition(ConditionType.Ready, false, Reason.NoPods, "");
            case Pending, Forming, Succeeded, Failed ->
                draft.condition(
                        ConditionType.Ready,
                        false,
                        trouble.map(Trouble::reason).orElse(Reason.Forming),
                        trouble.map(Trouble::message).orElse(""));
        }
    }

    private static void degraded(Seen seen, Draft draft, int running, Optional<Trouble> trouble) {
        if (draft.phase() != Phase.Running) {
            if (Conditions.holds(draft.status().conditions(), ConditionType.Degraded)) {
                draft.condition(ConditionType.Degraded, false, Reason.Complete, "");
            }
            return;
        }
        int wanted = KeepCrew.wantedDaemons(seen.spec());
        int spawners = running(seen, Role.SPAWNER);
        int wantedSpawners = seen.spec().spawnerCount();
        int copies = seen.spec().checkpoint().copies();
        Optional<Report> report = seen.report();
        if (trouble.isPresent()) {
            degrade(draft, trouble.get().reason(), trouble.get().message());
        } else if (report.filter(r -> r.parked() > 0).isPresent()) {
            degrade(draft, Reason.BlocksParked, report.get().parked() + " blocks wait for a daemon");
        } else if (running < wanted) {
            degrade(draft, Reason.FewerDaemons, running + " of " + wanted + " daemons run, standbys included");
        } else if (spawners < wantedSpawners) {
            degrade(draft, Reason.FewerSpawners, spawners + " of " + wantedSpawners + " spawners run");
        } else if (report.filter(r -> r.copies() > 0 && r.copies() < copies).isPresent()) {
            degrade(draft, Reason.FewerCopies, report.get().copies() + " of " + copies + " copies are held");
        } else {
            draft.condition(ConditionType.Degraded, false, Reason.Complete, "");
        }
    }

    private static void degrade(Draft draft, Reason reason, String message) {
        draft.condition(ConditionType.Degraded, true, reason, message);
    }

    private static int running(Seen seen, Role role) {
        return (int) seen.held(role)
                .filter((PodFacts p) -> PodTable.judge(p) == PodState.RUNNING)
                .count();
    }
}

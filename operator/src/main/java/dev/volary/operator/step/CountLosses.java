package dev.volary.operator.step;

import dev.volary.job.resource.JobStatus;
import dev.volary.operator.job.Happening;
import dev.volary.operator.job.Roster;
import dev.volary.operator.pod.Cause;
import dev.volary.operator.pod.Exit;
import dev.volary.operator.pod.PodFacts;
import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.pod.PodTable;
import dev.volary.operator.spawner.Spawners;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Compares the pods with the roster: each lost pod and each restart of a container is counted once, by its cause. The counts
 * and the roster without the lost are written together.
 */
final class CountLosses implements Step {
    @Override
    public void take(Seen seen, Draft draft) {
        SortedMap<PodName, Integer> members =
                new TreeMap<>(Roster.parse(seen.status().roster()).members());
        Map<Cause, Integer> losses = new EnumMap<>(Cause.class);
        Set<PodName> there = new HashSet<>();
        for (PodFacts pod : seen.pods()) {
            there.add(pod.pod());
            PodState state = PodTable.judge(pod);
            boolean known = members.containsKey(pod.pod());
            if (state.place() == PodState.Place.HELD) {
                int counted = members.getOrDefault(pod.pod(), 0);
                if (pod.restarts() > counted) {
                    restarted(pod, pod.restarts() - counted, losses, draft);
                }
                members.put(pod.pod(), Math.max(counted, pod.restarts()));
            } else if (known) {
                members.remove(pod.pod());
                lost(pod, state, losses, draft);
            }
        }
        members.keySet().removeIf(pod -> {
            if (there.contains(pod)) {
                return false;
            }
            String name = pod.of(seen.name());
            losses.merge(Cause.DISRUPTION, 1, Integer::sum);
            draft.then(new Action.Tell(Happening.WorkerLost, name + " is gone without a trace"));
            draft.then(new Action.PassHint(name, Spawners.Hint.GONE));
            return true;
        });
        losses.forEach((cause, workers) -> draft.then(new Action.CountLosses(cause, workers)));
        write(new Roster(members).toString(), losses, draft);
    }

    private static void restarted(PodFacts pod, int times, Map<Cause, Integer> losses, Draft draft) {
        Exit end = pod.newestEnd().orElse(new Exit(0, "", ""));
        String how = pod.name() + " ended with " + end + " and is started again";
        if (end.isFailure()) {
            losses.merge(Cause.FAILURE, times, Integer::sum);
            draft.then(new Action.Tell(Happening.WorkerFailed, how));
        } else if (end.code() != 0 && end.code() != Exit.FENCED) {
            losses.merge(Cause.DISRUPTION, times, Integer::sum);
            draft.then(new Action.Tell(Happening.WorkerLost, how));
        }
    }

    private static void lost(PodFacts pod, PodState state, Map<Cause, Integer> losses, Draft draft) {
        Cause cause = state.cause().orElseThrow();
        losses.merge(cause, 1, Integer::sum);
        String how = pod.name() + " is "
                + PodTable.row(pod).name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (pod.reason().isEmpty() ? "" : " (" + pod.reason() + ")");
        draft.then(new Action.Tell(
                switch (cause) {
                    case VOLUNTARY -> Happening.WorkerLeft;
                    case DISRUPTION -> Happening.WorkerLost;
                    case FAILURE -> Happening.WorkerFailed;
                },
                how));
    }

    private static void write(String roster, Map<Cause, Integer> losses, Draft draft) {
        draft.change(next -> {
            next.roster = roster.isEmpty() ? null : roster;
            JobStatus.Replacements before =
                    next.replacements == null ? new JobStatus.Replacements(0, 0, 0, 0) : next.replacements;
            int voluntary = losses.getOrDefault(Cause.VOLUNTARY, 0);
            int disruptions = losses.getOrDefault(Cause.DISRUPTION, 0);
            int failures = losses.getOrDefault(Cause.FAILURE, 0);
            next.replacements = new JobStatus.Replacements(
                    before.total() + voluntary + disruptions + failures,
                    before.voluntary() + voluntary,
                    before.disruption() + disruptions,
                    before.failure() + failures);
            next.retriesUsed = (next.retriesUsed == null ? 0 : next.retriesUsed) + failures;
        });
    }
}

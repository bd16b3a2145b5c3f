// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.spawner;

import dev.volary.mesh.v1.Outcome;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.WorkerStatus;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Merges the replies of several spawners: facts about the job come from the leader, facts about a group from its owner. */
final class ReportMerger {
    private ReportMerger() {}

    /** @param replies status of each spawner by pod, at least one */
    static JobReport of(Map<String, StatusReply> replies) {
        Optional<Map.Entry<String, StatusReply>> leader = replies.entrySet().stream()
                .filter(e -> e.getValue().getLeader() != 0
                        && e.getValue().getLeader() == e.getValue().getSelf().getId())
                .max(Map.Entry.comparingByValue((a, b) -> Long.compareUnsigned(a.getTerm(), b.getTerm())));
        List<StatusReply> all = List.copyOf(replies.values());
        StatusReply first = leader.map(Map.Entry::getValue).orElse(all.getFirst());
        Set<String> busy = new HashSet<>();
        Set<String> standby = new HashSet<>();
        int parked = 0;
        int backups = Integer.MAX_VALUE;
        for (StatusReply reply : all) {
            parked += reply.getParkedBlocks();
            backups = Math.min(backups, reply.getCopiesInForce());
            for (WorkerStatus worker : reply.getWorkersList()) {
                (worker.getStandby() ? standby : busy).add(worker.getPod());
            }
        }
        standby.removeAll(busy);
        return new JobReport(
                stage(all),
                all.stream()
                        .filter(StatusReply::hasOutcome)
                        .map(reply -> end(reply.getOutcome()))
                        .findFirst(),
                leader.map(Map.Entry::getKey).orElse(""),
                first.getSid() == 0 ? Double.POSITIVE_INFINITY : first.getResidual(),
                first.getScale(),
                first.getTolerance(),
                first.getSid(),
                first.getIterations(),
                first.getBlocks(),
                parked,
                backups,
                busy,
                standby,
                replies.keySet(),
                results(replies),
                time(first.getCheckpointMillis()),
                time(first.getPredictedEndMillis()));
    }

    /** Since the epoch; 0 for none. */
    private static Optional<Instant> time(long millis) {
        return Optional.of(millis).filter(known -> known > 0).map(Instant::ofEpochMilli);
    }

    private static JobReport.Results results(Map<String, StatusReply> replies) {
        Set<String> holders = new HashSet<>();
        Set<String> none = new HashSet<>();
        replies.forEach((pod, reply) -> {
            if (reply.getResultReady()) {
                holders.add(pod);
            } else if (!reply.getResultPending()) {
                none.add(pod);
            }
        });
        return new JobReport.Results(
                replies.values().stream().anyMatch(StatusReply::getResultFetched),
                holders,
                none,
                first(replies, StatusReply::getResultLocation),
                first(replies, StatusReply::getPublicationFailure));
    }

    private static Optional<String> first(Map<String, StatusReply> replies, Function<StatusReply, String> text) {
        return replies.values().stream()
                .map(text)
                .filter(given -> !given.isEmpty())
                .findFirst();
    }

    private static JobReport.Stage stage(List<StatusReply> all) {
        JobReport.Stage furthest = JobReport.Stage.FORMING;
        for (StatusReply reply : all) {
            JobReport.Stage stage =
                    switch (reply.getPhase()) {
                        case PHASE_RUNNING -> JobReport.Stage.RUNNING;
                        case PHASE_FINISHED -> JobReport.Stage.FINISHED;
                        case PHASE_UNSPECIFIED, PHASE_FORMING, UNRECOGNIZED -> JobReport.Stage.FORMING;
                    };
            furthest = stage.compareTo(furthest) > 0 ? stage : furthest;
        }
        return furthest;
    }

    private static JobReport.End end(Outcome outcome) {
        return switch (outcome.getOutcomeCase()) {
            case CERTIFIED -> new JobReport.End.Certified(outcome.getCertified().getResidual());
            case NOT_CONVERGED ->
                new JobReport.End.NotConverged(
                        outcome.getNotConverged().getResidual(),
                        outcome.getNotConverged().getIterations());
            case FAILED -> new JobReport.End.Failed(outcome.getFailed().getReason());
            case OUTCOME_NOT_SET -> new JobReport.End.Failed("the leader did not report how the job ended");
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.local.ProcessEvent;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An event of a run, as programs read it.
 *
 * @param type event type, for example {@code daemon-lost}
 * @param details further fields: strings, numbers, booleans and lists of them
 */
record EventRecord(String type, Map<String, Object> details) {
    EventRecord {
        details = new LinkedHashMap<>(details);
    }

    /** The record of an event that the leader reported; empty for progress. */
    static Optional<EventRecord> of(JobEvent event, Map<WorkerId, String> names, double scale) {
        return switch (event) {
            case JobEvent.LeaderElected(WorkerId leader, long term) ->
                one("leader-elected", Map.of("leader", name(leader, names), "term", term));
            case JobEvent.Planned(int blocks, int groups, int daemons) ->
                one("planned", Map.of("blocks", blocks, "groups", groups, "daemons", daemons));
            case JobEvent.AllIterating() -> one("all-iterating", Map.of());
            case JobEvent.Progress progress -> Optional.empty();
            case JobEvent.SnapshotClosed closed ->
                one(
                        "snapshot-closed",
                        Map.of(
                                "snapshot",
                                closed.sid(),
                                "residual",
                                closed.residual() / scale,
                                "latency_ms",
                                closed.latencyNanos() / 1e6));
            case JobEvent.DaemonLost(WorkerId daemon, var cause, long silent, var blocks) ->
                one(
                        "daemon-lost",
                        Map.of(
                                "daemon",
                                name(daemon, names),
                                "cause",
                                cause.name().toLowerCase(Locale.ROOT),
                                "silent_ms",
                                silent / 1e6,
                                "blocks",
                                blocks));
            case JobEvent.DaemonLeaving(WorkerId daemon, var blocks) ->
                one("daemon-leaves", Map.of("daemon", name(daemon, names), "blocks", blocks));
            case JobEvent.BlocksReassigned(WorkerId daemon, var blocks) ->
                one("blocks-reassigned", Map.of("daemon", name(daemon, names), "blocks", blocks));
            case JobEvent.GroupTakenOver(WorkerId spawner, long n, var blocks) ->
                one("group-taken-over", Map.of("spawner", name(spawner, names), "term", n, "blocks", blocks));
            case JobEvent.RolledBack(int epoch, long iteration) ->
                one("rolled-back", Map.of("epoch", epoch, "iteration", iteration));
            case JobEvent.BlocksParked(var blocks) -> one("blocks-parked", Map.of("blocks", blocks));
            case JobEvent.Degraded(int copies, int wanted) ->
                one("copies", Map.of("in_force", copies, "wanted", wanted));
            case JobEvent.StepCommitted(int step, int steps, long sid, double residual) ->
                one(
                        "step-committed",
                        Map.of("step", step, "steps", steps, "snapshot", sid, "residual", residual / scale));
            case JobEvent.CheckpointSaved(long sid, int step, double residual) ->
                one("checkpoint-kept", Map.of("snapshot", sid, "step", step, "residual", residual / scale));
            case JobEvent.CheckpointFailed(long sid, String reason) ->
                one("checkpoint-broken", Map.of("snapshot", sid, "reason", reason));
            case JobEvent.AnswerKept(long sid, double residual, long iterations) ->
                one(
                        "answer-kept",
                        Map.of("snapshot", sid, "residual", residual / scale, "block_iterations", iterations));
            case JobEvent.VerdictWithdrawn(long sid, String reason) ->
                one("verdict-withdrawn", Map.of("snapshot", sid, "reason", reason));
            case JobEvent.ResultCopied(WorkerId to) -> one("result-copied", Map.of("spawner", name(to, names)));
            case JobEvent.ResultNotCopied(String reason) -> one("result-not-copied", Map.of("reason", reason));
            case JobEvent.ResultPublished(String location) -> one("result-published", Map.of("location", location));
            case JobEvent.PublicationFailed(String reason, boolean isFinal) ->
                one("publication-failed", Map.of("reason", reason, "final", isFinal));
            case JobEvent.LocallyStalled(double hint, double residual) ->
                one("locally-stalled", Map.of("largest_hint", hint, "residual", residual));
        };
    }

    /** The record of an event of a worker process. */
    static EventRecord of(ProcessEvent event) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("worker", event.worker());
        return switch (event) {
            case ProcessEvent.FaultInjected injected -> {
                details.put("pid", injected.pid());
                details.put("fault", injected.fault().name().toLowerCase(Locale.ROOT));
                yield new EventRecord("fault-injected", details);
            }
            case ProcessEvent.Continued continued -> new EventRecord("worker-resumed", details);
            case ProcessEvent.Unable unable -> {
                details.put("reason", unable.reason());
                yield new EventRecord("worker-unable", details);
            }
            case ProcessEvent.Ended ended -> {
                details.put("pid", ended.pid());
                details.put("status", ended.status());
                details.put("provoked", ended.isProvoked());
                details.put("evicted", ended.isEvicted());
                yield new EventRecord("worker-ended", details);
            }
            case ProcessEvent.Joined joined -> {
                details.put("zone", joined.zone());
                details.put("instead_of", joined.replaced());
                yield new EventRecord("worker-joined", details);
            }
        };
    }

    /** The record of a block that iterates again. */
    static EventRecord of(RecoveryStatistics.Recovery recovery) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("block", recovery.block());
        details.put("daemon", recovery.daemon());
        details.put("iteration", recovery.iteration());
        details.put("lost_iterations", recovery.lostIterations());
        details.put("stood_still_ms", millis(recovery.stoodStill()));
        return new EventRecord("block-recovered", details);
    }

    /** A copy with one more detail. */
    EventRecord with(String detail, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(details);
        more.put(detail, value);
        return new EventRecord(type, more);
    }

    static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }

    private static Optional<EventRecord> one(String type, Map<String, Object> details) {
        return Optional.of(new EventRecord(type, details));
    }

    private static String name(WorkerId id, Map<WorkerId, String> names) {
        return names.getOrDefault(id, id.toString());
    }
}

package dev.volary.operator.pod;

import java.time.Instant;
import java.util.Optional;

/** A pod's facts, changed one by one from those of a daemon that runs well. */
public record AnyPod(PodFacts facts) {
    /** A daemon that runs. */
    public static AnyPod daemon(long serial) {
        return of(new PodName(Role.DAEMON, serial));
    }

    /** A spawner that runs. */
    public static AnyPod spawner(long serial) {
        return of(new PodName(Role.SPAWNER, serial));
    }

    private static AnyPod of(PodName name) {
        return new AnyPod(new PodFacts(
                name,
                name.of("heat"),
                "uid-" + name.of("heat"),
                "",
                Instant.parse("2026-01-01T00:00:00Z").plusSeconds(name.serial()),
                PodFacts.Lifecycle.RUNNING,
                "",
                false,
                false,
                false,
                true,
                "",
                "",
                0,
                Optional.empty(),
                Optional.empty(),
                NodeState.WELL,
                false,
                "10.0.0." + (name.serial() + 1)));
    }

    public AnyPod lifecycle(PodFacts.Lifecycle to, String reason) {
        PodFacts f = facts;
        return with(
                to,
                reason,
                f.deleting(),
                f.disrupted(),
                f.unschedulable(),
                false,
                f.waiting(),
                f.message(),
                f.restarts(),
                f.ended(),
                f.lastEnd(),
                f.node());
    }

    public AnyPod deleting() {
        PodFacts f = facts;
        return with(
                f.lifecycle(),
                f.reason(),
                true,
                f.disrupted(),
                f.unschedulable(),
                f.ready(),
                f.waiting(),
                f.message(),
                f.restarts(),
                f.ended(),
                f.lastEnd(),
                f.node());
    }

    public AnyPod disrupted() {
        PodFacts f = facts;
        return with(
                f.lifecycle(),
                f.reason(),
                f.deleting(),
                true,
                f.unschedulable(),
                f.ready(),
                f.waiting(),
                f.message(),
                f.restarts(),
                f.ended(),
                f.lastEnd(),
                f.node());
    }

    public AnyPod unschedulable(String message) {
        PodFacts f = facts;
        return with(
                PodFacts.Lifecycle.PENDING,
                f.reason(),
                f.deleting(),
                f.disrupted(),
                true,
                false,
                f.waiting(),
                message,
                f.restarts(),
                f.ended(),
                f.lastEnd(),
                f.node());
    }

    public AnyPod waiting(String why, String message) {
        PodFacts f = facts;
        return with(
                PodFacts.Lifecycle.PENDING,
                f.reason(),
                f.deleting(),
                f.disrupted(),
                false,
                false,
                why,
                message,
                f.restarts(),
                f.ended(),
                f.lastEnd(),
                f.node());
    }

    public AnyPod notReady() {
        PodFacts f = facts;
        return with(
                f.lifecycle(),
                f.reason(),
                f.deleting(),
                f.disrupted(),
                false,
                false,
                f.waiting(),
                f.message(),
                f.restarts(),
                f.ended(),
                f.lastEnd(),
                f.node());
    }

    public AnyPod ended(int code, String reason) {
        PodFacts f = facts;
        return with(
                f.lifecycle(),
                f.reason(),
                f.deleting(),
                f.disrupted(),
                false,
                false,
                f.waiting(),
                f.message(),
                f.restarts(),
                Optional.of(new Exit(code, reason)),
                f.lastEnd(),
                f.node());
    }

    public AnyPod restarted(int times, int code, String reason) {
        PodFacts f = facts;
        return with(
                f.lifecycle(),
                f.reason(),
                f.deleting(),
                f.disrupted(),
                false,
                f.ready(),
                f.waiting(),
                f.message(),
                times,
                f.ended(),
                Optional.of(new Exit(code, reason)),
                f.node());
    }

    public AnyPod on(NodeState node) {
        PodFacts f = facts;
        return with(
                f.lifecycle(),
                f.reason(),
                f.deleting(),
                f.disrupted(),
                f.unschedulable(),
                f.ready(),
                f.waiting(),
                f.message(),
                f.restarts(),
                f.ended(),
                f.lastEnd(),
                node);
    }

    private AnyPod with(
            PodFacts.Lifecycle lifecycle,
            String reason,
            boolean deleting,
            boolean disrupted,
            boolean unschedulable,
            boolean ready,
            String waiting,
            String message,
            int restarts,
            Optional<Exit> ended,
            Optional<Exit> lastEnd,
            NodeState node) {
        return new AnyPod(new PodFacts(
                facts.pod(),
                facts.name(),
                facts.uid(),
                facts.group(),
                facts.created(),
                lifecycle,
                reason,
                deleting,
                disrupted,
                unschedulable,
                ready,
                waiting,
                message,
                restarts,
                ended,
                lastEnd,
                node,
                facts.heard(),
                facts.address()));
    }

    /** Others hear it, whatever the API says. */
    public AnyPod heard() {
        return new AnyPod(facts.heard(true));
    }
}

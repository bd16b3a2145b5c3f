// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import java.time.Instant;
import java.util.Optional;

/** A pod's facts, changed one by one from those of a daemon that runs well. */
public record AnyPod(ObservedPod facts) {
    /** A daemon that runs. */
    public static AnyPod daemon(long serial) {
        return of(new PodName(PodRole.DAEMON, serial));
    }

    /** A spawner that runs. */
    public static AnyPod spawner(long serial) {
        return of(new PodName(PodRole.SPAWNER, serial));
    }

    private static AnyPod of(PodName name) {
        return new AnyPod(new ObservedPod(
                name,
                name.of("heat"),
                "uid-" + name.of("heat"),
                "",
                Instant.parse("2026-01-01T00:00:00Z").plusSeconds(name.serial()),
                ObservedPod.Lifecycle.RUNNING,
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
                NodeState.HEALTHY,
                PodZone.NONE,
                false,
                "10.0.0." + (name.serial() + 1)));
    }

    public AnyPod lifecycle(ObservedPod.Lifecycle to, String reason) {
        Draft draft = new Draft(facts);
        draft.lifecycle = to;
        draft.reason = reason;
        draft.ready = false;
        return draft.pod();
    }

    public AnyPod deleting() {
        Draft draft = new Draft(facts);
        draft.deleting = true;
        return draft.pod();
    }

    public AnyPod disrupted() {
        Draft draft = new Draft(facts);
        draft.disrupted = true;
        return draft.pod();
    }

    public AnyPod unschedulable(String message) {
        Draft draft = new Draft(facts);
        draft.lifecycle = ObservedPod.Lifecycle.PENDING;
        draft.unschedulable = true;
        draft.ready = false;
        draft.message = message;
        return draft.pod();
    }

    public AnyPod waiting(String why, String message) {
        Draft draft = new Draft(facts);
        draft.lifecycle = ObservedPod.Lifecycle.PENDING;
        draft.unschedulable = false;
        draft.ready = false;
        draft.waiting = why;
        draft.message = message;
        return draft.pod();
    }

    public AnyPod notReady() {
        Draft draft = new Draft(facts);
        draft.unschedulable = false;
        draft.ready = false;
        return draft.pod();
    }

    public AnyPod ended(int code, String reason) {
        Draft draft = new Draft(facts);
        draft.unschedulable = false;
        draft.ready = false;
        draft.ended = Optional.of(new ContainerExit(code, reason, ""));
        return draft.pod();
    }

    public AnyPod restarted(int times, int code, String reason) {
        Draft draft = new Draft(facts);
        draft.unschedulable = false;
        draft.restarts = times;
        draft.lastEnd = Optional.of(new ContainerExit(code, reason, ""));
        return draft.pod();
    }

    public AnyPod on(NodeState node) {
        Draft draft = new Draft(facts);
        draft.node = node;
        return draft.pod();
    }

    public AnyPod zone(PodZone zone) {
        Draft draft = new Draft(facts);
        draft.zone = zone;
        return draft.pod();
    }

    /** Other workers report it alive, whatever the API says. */
    public AnyPod alive() {
        Draft draft = new Draft(facts);
        draft.alive = true;
        return draft.pod();
    }

    /** The facts that differ between samples. */
    private static final class Draft {
        private final ObservedPod from;
        private ObservedPod.Lifecycle lifecycle;
        private String reason;
        private boolean deleting;
        private boolean disrupted;
        private boolean unschedulable;
        private boolean ready;
        private String waiting;
        private String message;
        private int restarts;
        private Optional<ContainerExit> ended;
        private Optional<ContainerExit> lastEnd;
        private NodeState node;
        private PodZone zone;
        private boolean alive;

        Draft(ObservedPod from) {
            this.from = from;
            lifecycle = from.lifecycle();
            reason = from.reason();
            deleting = from.deleting();
            disrupted = from.disrupted();
            unschedulable = from.unschedulable();
            ready = from.ready();
            waiting = from.waiting();
            message = from.message();
            restarts = from.restarts();
            ended = from.ended();
            lastEnd = from.lastEnd();
            node = from.node();
            zone = from.zone();
            alive = from.alive();
        }

        AnyPod pod() {
            return new AnyPod(new ObservedPod(
                    from.pod(),
                    from.name(),
                    from.uid(),
                    from.group(),
                    from.created(),
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
                    zone,
                    alive,
                    from.address()));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Chooses the pods of a job whose Secrets are checked: a person may have deleted them. Some at a time, since a job may have
 * thousands of pods. Confined to the thread that reconciles the job.
 */
final class SecretChecks {
    private static final int AT_A_TIME = 32;

    private final Deque<PodName> left = new ArrayDeque<>();
    private Instant next = Instant.MAX;

    /** The clock was set back: the next check follows an interval after the next reconciliation. */
    void forgetTime() {
        next = Instant.MAX;
    }

    /** The pods to check now: once in {@code interval} those that have not started, and the next ones of all in turn. */
    List<PodName> due(List<ObservedPod> pods, Instant now, Duration interval) {
        if (next.equals(Instant.MAX)) {
            next = now.plus(interval);
        }
        List<ObservedPod> using =
                pods.stream().filter(pod -> !pod.deleting() && !pod.hasEnded()).toList();
        if (now.isBefore(next) || using.isEmpty()) {
            return List.of();
        }
        next = now.plus(interval);
        Set<PodName> all = using.stream().map(ObservedPod::pod).collect(Collectors.toCollection(TreeSet::new));
        left.retainAll(all);
        if (left.isEmpty()) {
            left.addAll(all);
        }
        Set<PodName> due = using.stream()
                .filter(pod -> pod.lifecycle() == ObservedPod.Lifecycle.PENDING)
                .map(ObservedPod::pod)
                .limit(AT_A_TIME)
                .collect(Collectors.toCollection(TreeSet::new));
        for (int i = 0; i < AT_A_TIME && !left.isEmpty(); i++) {
            due.add(left.removeFirst());
        }
        return List.copyOf(due);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.plan;

import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.status.ConditionReason;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * Why a job does not have all its workers.
 *
 * @param reason kind of the problem
 * @param message the pod, and the message of the platform
 */
record PodProblem(ConditionReason reason, String message) {
    private static final Set<String> IMAGE =
            Set.of("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName");

    /** Nodes and quotas may become free by themselves; these problems stay until a person acts. */
    private static final Set<ConditionReason> LASTING = Set.of(
            ConditionReason.ImageUnavailable,
            ConditionReason.CannotStart,
            ConditionReason.LimitRangeViolated,
            ConditionReason.PodSecurityViolated,
            ConditionReason.NameTaken,
            ConditionReason.PodRefused);

    /** Whether it stays until a person acts. */
    boolean isLasting() {
        return LASTING.contains(reason);
    }

    /** The most relevant problem; empty if there is none. */
    static Optional<PodProblem> of(JobObservation observation) {
        if (observation.rejection().isPresent()) {
            PodRejection rejection = observation.rejection().get();
            return Optional.of(new PodProblem(rejection.reason(), rejection.message()));
        }
        return first(observation, PodState.BLOCKED).or(() -> first(observation, PodState.UNSCHEDULABLE));
    }

    private static Optional<PodProblem> first(JobObservation observation, PodState state) {
        return observation.pods().stream()
                .filter(p -> PodClassifier.state(p) == state)
                .min(Comparator.comparing(ObservedPod::pod))
                .map(p -> new PodProblem(reason(p, state), p.name() + ": " + text(p)));
    }

    private static ConditionReason reason(ObservedPod pod, PodState state) {
        if (state == PodState.UNSCHEDULABLE) {
            return ConditionReason.Unschedulable;
        }
        return IMAGE.contains(pod.waiting()) ? ConditionReason.ImageUnavailable : ConditionReason.CannotStart;
    }

    /** The message without the parts that change between attempts of the kubelet. */
    private static String text(ObservedPod pod) {
        String message = pod.message();
        if (pod.waiting().isEmpty()) {
            return message;
        }
        // the two reasons for a failing pull alternate; one of them keeps the status unchanged
        String reason = pod.waiting().equals("ErrImagePull") ? "ImagePullBackOff" : pod.waiting();
        int image = message.indexOf('"');
        int end = message.indexOf('"', image + 1);
        return IMAGE.contains(pod.waiting()) && image >= 0 && end > image
                ? reason + " " + message.substring(image, end + 1)
                : reason;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.step;

import dev.volary.operator.job.ConditionReason;
import dev.volary.operator.pod.ObservedPod;
import dev.volary.operator.pod.PodClassifier;
import dev.volary.operator.pod.PodState;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * What keeps a job from having all its workers.
 *
 * @param reason what kind
 * @param message which pod, and what the platform says of it
 */
record PodProblem(ConditionReason reason, String message) {
    private static final Set<String> IMAGE =
            Set.of("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName");

    /** The most telling trouble, if there is any. */
    static Optional<PodProblem> of(JobObservation seen) {
        if (seen.refusal().isPresent()) {
            PodRejection refusal = seen.refusal().get();
            return Optional.of(new PodProblem(refusal.reason(), refusal.message()));
        }
        return first(seen, PodState.BLOCKED).or(() -> first(seen, PodState.UNSCHEDULABLE));
    }

    private static Optional<PodProblem> first(JobObservation seen, PodState state) {
        return seen.pods().stream()
                .filter(p -> PodClassifier.judge(p) == state)
                .min(Comparator.comparing(ObservedPod::pod))
                .map(p -> new PodProblem(reason(p, state), p.name() + ": " + text(p)));
    }

    private static ConditionReason reason(ObservedPod pod, PodState state) {
        if (state == PodState.UNSCHEDULABLE) {
            return ConditionReason.Unschedulable;
        }
        return IMAGE.contains(pod.waiting()) ? ConditionReason.ImageUnavailable : ConditionReason.CannotStart;
    }

    /** Without the parts of the kubelet's words that change from try to try. */
    private static String text(ObservedPod pod) {
        String words = pod.message();
        if (pod.waiting().isEmpty()) {
            return words;
        }
        // The two words for a failing pull alternate; one of them keeps the status still.
        String word = pod.waiting().equals("ErrImagePull") ? "ImagePullBackOff" : pod.waiting();
        int image = words.indexOf('"');
        int end = words.indexOf('"', image + 1);
        return IMAGE.contains(pod.waiting()) && image >= 0 && end > image
                ? word + " " + words.substring(image, end + 1)
                : word;
    }
}

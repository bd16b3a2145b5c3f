package dev.volary.operator.step;

import dev.volary.operator.job.Reason;
import dev.volary.operator.pod.PodFacts;
import dev.volary.operator.pod.PodState;
import dev.volary.operator.pod.PodTable;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * What keeps a job from having all its workers.
 *
 * @param reason what kind
 * @param message which pod, and what the platform says of it
 */
record Trouble(Reason reason, String message) {
    private static final Set<String> IMAGE =
            Set.of("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName");

    /** The most telling trouble, if there is any. */
    static Optional<Trouble> of(Seen seen) {
        if (seen.refusal().isPresent()) {
            Refusal refusal = seen.refusal().get();
            return Optional.of(new Trouble(refusal.reason(), refusal.message()));
        }
        return first(seen, PodState.BLOCKED).or(() -> first(seen, PodState.UNSCHEDULABLE));
    }

    private static Optional<Trouble> first(Seen seen, PodState state) {
        return seen.pods().stream()
                .filter(p -> PodTable.judge(p) == state)
                .min(Comparator.comparing(PodFacts::pod))
                .map(p -> new Trouble(reason(p, state), p.name() + ": " + text(p)));
    }

    private static Reason reason(PodFacts pod, PodState state) {
        if (state == PodState.UNSCHEDULABLE) {
            return Reason.Unschedulable;
        }
        return IMAGE.contains(pod.waiting()) ? Reason.ImageUnavailable : Reason.CannotStart;
    }

    /** Without the parts of the kubelet's words that change from try to try. */
    private static String text(PodFacts pod) {
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

package dev.volary.operator.step;

import dev.volary.crd.api.IterativeJob;
import java.util.Map;
import java.util.Optional;

/** Under which name a snapshot is asked for. */
public final class Requests {
    /** For a suspension; users' own requests are the values of an annotation. */
    public static final String SUSPEND = "spec.suspend";

    private Requests() {}

    /** What the annotation asks for. */
    public static Optional<String> of(IterativeJob job) {
        Map<String, String> annotations = job.getMetadata().getAnnotations();
        return annotations == null
                ? Optional.empty()
                : Optional.ofNullable(annotations.get(IterativeJob.CHECKPOINT_REQUEST));
    }
}

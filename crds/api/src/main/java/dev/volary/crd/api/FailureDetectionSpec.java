package dev.volary.crd.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** How dead workers are noticed. */
public record FailureDetectionSpec(
        @Default("RingWithConfirmation")
        @JsonPropertyDescription("Who watches whom. Ring: the next member. RandomMonitors: members drawn at random."
                + " RingWithConfirmation: several successors, and a suspicion is confirmed before the verdict."
                + " Centralised: the spawner alone.")
        Strategy strategy,

        @Default("2") @Min(1) @Max(32) @JsonPropertyDescription("Members that watch each member.")
        Integer watchers,

        @Size(max = 12) @JsonPropertyDescription(
                "Silence after which a worker is taken for dead, such as 500ms, 2s or 1m; chosen by the"
                        + " runtime if left out.")
        @Nullable String timeout) {

    static final FailureDetectionSpec DEFAULT = new FailureDetectionSpec(Strategy.RingWithConfirmation, 2, null);

    public FailureDetectionSpec {
        strategy = Defaults.of(strategy, Strategy.RingWithConfirmation);
        watchers = Defaults.of(watchers, 2);
    }

    /** Who watches whom. */
    public enum Strategy {
        /** The next member of the ring. */
        Ring,
        /** Members drawn at random. */
        RandomMonitors,
        /** Several successors, and a suspicion is confirmed before the verdict. */
        RingWithConfirmation,
        /** The spawner alone. */
        Centralised
    }
}

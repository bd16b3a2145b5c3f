package dev.volary.crd.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How dead workers are noticed. */
@ValidationRule(
        value = "self.strategy != 'RandomMonitors' || !has(self.timeout) || !self.timeout" + Rules.DURATION
                + " || duration(self.timeout) >= duration('5s')",
        fieldPath = ".timeout",
        messageExpression =
                "'spec.failureDetection.timeout is %s, shorter than the heartbeat period 5s of RandomMonitors; make it 5s or longer, or choose RingWithConfirmation'.format([self.timeout])")
public record FailureDetectionSpec(
        @Default("RingWithConfirmation")
        @JsonPropertyDescription("Who watches whom. Ring: the next member. RandomMonitors: members drawn at random."
                + " RingWithConfirmation: several successors, and a suspicion is confirmed before the verdict."
                + " Centralised: the spawner alone.")
        Strategy strategy,

        @Default("2") @Min(1) @Max(31) @JsonPropertyDescription("Members that watch each member.")
        Integer watchers,

        @Size(max = 12) @JsonPropertyDescription(
                "Silence after which a worker is taken for dead, such as 500ms, 2s or 1m; chosen by the"
                        + " runtime if left out.")
        @ValidationRule(
                value = "self" + Rules.DURATION
                        + " && duration(self) >= duration('100ms') && duration(self) <= duration('1h')",
                messageExpression =
                        "'spec.failureDetection.timeout is \"%s\", must be a duration from 100ms to 1h; write it as 500ms, 2s or 1m'.format([self])")
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

// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How dead workers are noticed. */
@ValidationRule(
        value = "self.strategy != 'RandomMonitors' || !has(self.timeout) || !self.timeout" + CelRules.DURATION
                + " || duration(self.timeout) >= duration('5s')",
        fieldPath = ".timeout",
        messageExpression =
                "'spec.failureDetection.timeout is %s, shorter than the heartbeat period 5s of RandomMonitors; make it 5s or longer, or choose RingWithConfirmation'.format([self.timeout])")
@ValidationRule(
        value = "!(self.strategy in ['Ring', 'Centralised']) || self.watchers <= 2",
        fieldPath = ".watchers",
        messageExpression =
                "'spec.failureDetection.watchers is %d, but with %s one worker watches each member; leave it out, or choose RingWithConfirmation'.format([self.watchers, self.strategy])")
public record FailureDetectionSpec(
        @Default("RingWithConfirmation")
        @JsonPropertyDescription("Who watches whom. Ring: the next member. RandomMonitors: members drawn at random."
                + " RingWithConfirmation: several successors, and a suspicion is confirmed before the verdict."
                + " Centralised: the spawner alone.")
        Strategy strategy,

        @Default("2") @Min(1) @Max(31) @JsonPropertyDescription("Members that watch each member.")
        Integer watchers,

        @Size(max = 12) @JsonPropertyDescription("Silence after which a worker is declared dead, such as 500ms, 2s or 1m; chosen by the"
                + " runtime if left out.")
        @ValidationRule(
                value = "self" + CelRules.DURATION
                        + " && duration(self) >= duration('100ms') && duration(self) <= duration('1h')",
                messageExpression =
                        "'spec.failureDetection.timeout is \"%s\", must be a duration from 100ms to 1h; write it as 500ms, 2s or 1m'.format([self])")
        @Nullable String timeout) {

    /** The default of {@code watchers}; a strategy with one watcher ignores it. */
    public static final int USUAL_WATCHERS = 2;

    public FailureDetectionSpec {
        strategy = Defaults.of(strategy, FailureDetectionSpec.class, "strategy");
        watchers = Defaults.of(watchers, FailureDetectionSpec.class, "watchers");
    }

    /** The silence after which a worker is declared dead; none if the runtime chooses it. */
    public Optional<Duration> timeoutDuration() {
        return Optional.ofNullable(timeout).map(given -> SpecDuration.of("spec.failureDetection.timeout", given));
    }

    /** How workers monitor each other. */
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

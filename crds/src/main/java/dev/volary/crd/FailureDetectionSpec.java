package dev.volary.crd;

import java.time.Duration;
import java.util.Optional;

/**
 * How dead workers are noticed.
 *
 * @param strategy who watches whom
 * @param watchers ring successors that watch a member; two if not given
 * @param timeout silence after which a worker is taken for dead; chosen by the runtime if not given
 */
public record FailureDetectionSpec(Strategy strategy, int watchers, Optional<Duration> timeout) {

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

    /** What a manifest without this field means. */
    public static final FailureDetectionSpec STANDARD =
            new FailureDetectionSpec(Strategy.RingWithConfirmation, 2, Optional.empty());

    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MOST_TIMEOUT = Duration.ofHours(1);

    static FailureDetectionSpec read(Fields in) {
        Optional<Duration> timeout = in.duration("timeout");
        if (timeout.filter(t -> t.compareTo(LEAST_TIMEOUT) < 0 || t.compareTo(MOST_TIMEOUT) > 0)
                .isPresent()) {
            in.fault(
                    "timeout",
                    "is \"" + in.text("timeout").orElseThrow()
                            + "\", must be a duration from 100ms to 1h; write it as 500ms, 2s or 1m");
        }
        return new FailureDetectionSpec(
                in.choice("strategy", STANDARD.strategy),
                in.integer("watchers", 1, 31).orElse(STANDARD.watchers),
                timeout);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The clock of a machine that is set to another time now and then. */
final class JumpingClock extends Clock {
    private volatile Duration ahead = Duration.ZERO;

    /** Sets the clock forward, or back. */
    void jump(Duration by) {
        ahead = ahead.plus(by);
    }

    @Override
    public Instant instant() {
        return Clock.systemUTC().instant().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("times of this clock are in UTC");
    }
}

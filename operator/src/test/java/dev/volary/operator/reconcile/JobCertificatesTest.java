// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.operator.pod.AnyPod;
import dev.volary.operator.pod.ObservedPod;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** When identities are reissued. */
class JobCertificatesTest {
    private static final Duration HALF = Duration.ofDays(14).plusHours(12);
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final JobCache cache = new JobCache(0, 0);
    private final ObservedPod pod = AnyPod.daemon(0).facts();

    @Test
    void anIdentityIsReissuedAtHalfOfItsLifetime() {
        Instant renewal = Instant.parse("2030-01-01T00:00:00Z");
        cache.issued(pod.pod(), renewal);
        assertFalse(JobCertificates.isDue(cache, pod, renewal.minus(MOMENT)));
        assertTrue(JobCertificates.isDue(cache, pod, renewal));
    }

    @Test
    void untilItIsReadAnIdentityIsAsOldAsItsPod() {
        assertFalse(JobCertificates.isDue(cache, pod, pod.created().plus(HALF).minus(MOMENT)));
        assertTrue(JobCertificates.isDue(cache, pod, pod.created().plus(HALF)));
    }

    @Test
    void aPodThatEndsNeedsNoIdentityAnyMore() {
        Instant late = pod.created().plus(Duration.ofDays(100));
        assertFalse(JobCertificates.isDue(cache, AnyPod.daemon(0).deleting().facts(), late));
    }

    @Test
    void theOperatorsOwnIdentityIsIssuedAgainAtHalfOfItsLifetime() throws Exception {
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        Instant[] now = {start};
        Clock clock = new Clock() {
            @Override
            public Instant instant() {
                return now[0];
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
        OperatorIdentity identity = new OperatorIdentity(new CertificateAuthority("lab", "heat", "uid", start), clock);
        Identity first = identity.current();
        assertEquals("operator", first.id().role());
        now[0] = start.plus(HALF).minus(MOMENT);
        assertSame(first, identity.current());
        now[0] = start.plus(HALF);
        assertNotEquals(first, identity.current());
        assertEquals(first.id(), identity.current().id());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.IdentitySource;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Instant;

/**
 * The identity with which the operator connects to the workers of one job. Issued again at half of its lifetime, since connections
 * are opened again as long as the job lives. Safe for several threads.
 */
final class OperatorIdentity implements IdentitySource {
    private static final String NAME = "operator";

    private final CertificateAuthority authority;
    private final Clock clock;
    private Identity newest;

    /** @throws GeneralSecurityException if this JDK cannot create an identity */
    OperatorIdentity(CertificateAuthority authority, Clock clock) throws GeneralSecurityException {
        this.authority = authority;
        this.clock = clock;
        this.newest = authority.issue(NAME, NAME, clock.instant());
    }

    @Override
    public synchronized Identity current() {
        Instant now = clock.instant();
        if (!now.isBefore(newest.renewalTime())) {
            try {
                newest = authority.issue(NAME, NAME, now);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this JDK created an identity before, and now it cannot", e);
            }
        }
        return newest;
    }
}

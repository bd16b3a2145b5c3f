// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CertificateAuthorityTest {

    @Test
    void certificatesPassTheJdkPathValidation() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("default", "heat");
        Identity identity = authority.issue("daemon", "daemon-1");
        assertPathIsValid(identity);
        X509Certificate leaf = identity.chain().getFirst();
        assertEquals(-1, leaf.getBasicConstraints());
        assertTrue(authority.certificate().getBasicConstraints() >= 0);
        assertEquals(
                "spiffe://volary.local/ns/default/job/heat/daemon/daemon-1",
                Identity.idOf(leaf).uri());
        assertEquals(List.of("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"), leaf.getExtendedKeyUsage());
    }

    @Test
    void certificatesAreValidFromADayAgoForThirtyDays() throws Exception {
        X509Certificate leaf = new CertificateAuthority("default", "heat")
                .issue("daemon", "daemon-1")
                .chain()
                .getFirst();
        Instant now = Instant.now();
        leaf.checkValidity(Date.from(now.minus(Duration.ofHours(23))));
        leaf.checkValidity(Date.from(now.plus(Duration.ofDays(29))));
        assertThrows(CertificateException.class, () -> leaf.checkValidity(Date.from(now.minus(Duration.ofHours(25)))));
        assertThrows(CertificateException.class, () -> leaf.checkValidity(Date.from(now.plus(Duration.ofDays(31)))));
    }

    @Test
    void anIdentitySurvivesAPemRoundTrip() throws Exception {
        Identity identity = new CertificateAuthority("default", "heat").issue("spawner", "spawner-1");
        Identity read = Identity.of(identity.toPem());
        assertEquals(identity.id(), read.id());
        assertEquals(identity.chain(), read.chain());
        assertEquals(identity.authority(), read.authority());
        assertEquals(identity.key(), read.key());
        assertFalse(identity.toString().contains("PRIVATE"));
    }

    @Test
    void anotherAuthorityIsNotTrustedAndTheRefusalNamesBoth() throws Exception {
        Identity mine = new CertificateAuthority("default", "heat").issue("daemon", "daemon-1");
        Identity other = new CertificateAuthority("default", "pipe").issue("daemon", "daemon-9");
        List<String> refused = new ArrayList<>();
        JobTrustManager trust = new JobTrustManager(mine, (peer, reason) -> refused.add(peer + ": " + reason));
        X509Certificate[] chain = other.chain().toArray(X509Certificate[]::new);
        assertThrows(CertificateException.class, () -> trust.checkClientTrusted(chain, "ECDHE_ECDSA"));
        assertEquals(1, refused.size());
        assertTrue(
                refused.getFirst()
                        .startsWith(other.id() + ": certificate is not signed by the authority of " + mine.id()),
                refused.getFirst());
        trust.checkServerTrusted(mine.chain().toArray(X509Certificate[]::new), "ECDHE_ECDSA");
        assertEquals(1, refused.size());
    }

    @Test
    void theErrorForAnInvalidNameStatesTheRule() {
        String message = String.valueOf(assertThrows(
                        IllegalArgumentException.class,
                        () -> new CertificateAuthority("default", "a/b").issue("daemon", "daemon-1"))
                .getMessage());
        assertEquals("job is 'a/b', must be letters, digits, '.', '_' and '-' only", message);
    }

    @Test
    void anAuthoritySignsOnlyForTheJobWithItsUidAlsoAfterAPemRoundTrip() throws Exception {
        CertificateAuthority made = new CertificateAuthority("default", "heat", "5f2b-1");
        CertificateAuthority read =
                CertificateAuthority.of("default", "heat", made.certificatePem(), made.privateKeyPem());
        for (CertificateAuthority authority : List.of(made, read)) {
            assertTrue(authority.isOf("5f2b-1"));
            assertFalse(authority.isOf("5f2b-2"));
            assertPathIsValid(authority.issue("daemon", "daemon-1"));
        }
    }

    @Test
    void anAuthorityOfAnEarlierReleaseWithoutAUidContinuesToSign() throws Exception {
        CertificateAuthority earlier = new CertificateAuthority("default", "heat");
        CertificateAuthority read =
                CertificateAuthority.of("default", "heat", earlier.certificatePem(), earlier.privateKeyPem());
        assertTrue(read.isOf("5f2b-1"));
        assertPathIsValid(read.issue("daemon", "daemon-1"));
        assertFalse(CertificateAuthority.of("default", "pipe", earlier.certificatePem(), earlier.privateKeyPem())
                .isOf("5f2b-1"));
    }

    private static void assertPathIsValid(Identity identity) throws Exception {
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(identity.authority(), null)));
        parameters.setRevocationEnabled(false);
        CertPathValidator.getInstance("PKIX")
                .validate(CertificateFactory.getInstance("X.509").generateCertPath(identity.chain()), parameters);
    }
}

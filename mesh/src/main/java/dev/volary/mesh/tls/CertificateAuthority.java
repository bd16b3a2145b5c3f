// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/**
 * Signs the identities of one run: an elliptic-curve key (P-256) that leaves this object only where it is asked for. Certificates follow RFC 5280;
 * why they are laid out here and not by a library: docs/decisions/0004-certificates.md. Its own certificate is valid for ten
 * years, longer than any job runs; {@link #renewed} extends it with the same key. Safe for use by several threads.
 */
public final class CertificateAuthority {
    private static final Duration CLOCK_SKEW = Duration.ofDays(1);
    private static final Duration LIFETIME = Duration.ofDays(30);
    /** Age of an identity at half of its lifetime, which begins {@link #CLOCK_SKEW} before it is issued. */
    public static final Duration RENEWAL_AGE =
            LIFETIME.plus(CLOCK_SKEW).dividedBy(2).minus(CLOCK_SKEW);

    private static final Duration AUTHORITY_LIFETIME = Duration.ofDays(3650);

    // Object identifiers: RFC 5758 §3.2, RFC 5280 §4.1.2.4 and §4.2.1.
    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
    private static final byte[] COMMON_NAME = Der.oid("2.5.4.3");
    private static final byte[] SERIAL_NUMBER = Der.oid("2.5.4.5");
    private static final byte[] SUBJECT_KEY_IDENTIFIER = Der.oid("2.5.29.14");
    private static final byte[] KEY_USAGE = Der.oid("2.5.29.15");
    private static final byte[] SUBJECT_ALTERNATIVE_NAME = Der.oid("2.5.29.17");
    private static final byte[] BASIC_CONSTRAINTS = Der.oid("2.5.29.19");
    private static final byte[] AUTHORITY_KEY_IDENTIFIER = Der.oid("2.5.29.35");
    private static final byte[] EXTENDED_KEY_USAGE = Der.oid("2.5.29.37");
    private static final byte[] SERVER_AND_CLIENT =
            Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1"), Der.oid("1.3.6.1.5.5.7.3.2"));
    private static final int URI_NAME = 6;

    private final SecureRandom random = new SecureRandom();
    private final String namespace;
    private final String job;
    private final KeyPair keys;
    private final byte[] name;
    private final byte[] keyId;
    private final X509Certificate certificate;

    /**
     * An authority that was kept as PEM texts, so that workers which start later are of the same job.
     *
     * @throws GeneralSecurityException if a text is no certificate or EC key
     */
    public static CertificateAuthority of(String namespace, String job, String certificatePem, String privateKeyPem)
            throws GeneralSecurityException {
        X509Certificate certificate =
                Pem.certificates("authority", certificatePem).getFirst();
        return new CertificateAuthority(
                namespace,
                job,
                new KeyPair(certificate.getPublicKey(), Pem.key("authority's key", privateKeyPem)),
                certificate);
    }

    private CertificateAuthority(String namespace, String job, KeyPair keys, X509Certificate certificate)
            throws GeneralSecurityException {
        this.namespace = namespace;
        this.job = job;
        this.keys = keys;
        this.name = certificate.getSubjectX500Principal().getEncoded();
        this.keyId = keyId(keys.getPublic());
        this.certificate = certificate;
    }

    /**
     * Whether this authority may sign for the job with this UID: its subject names that UID, or none, as the authorities of
     * jobs do that an earlier release of Volary has started. An authority of an earlier job of the same name names another UID.
     */
    public boolean isOf(String uid) {
        X500Principal subject = certificate.getSubjectX500Principal();
        return subject.equals(new X500Principal(subject(namespace, job, uid)))
                || subject.equals(new X500Principal(subject(namespace, job, "")));
    }

    /** The certificate that all workers trust, as PEM. */
    public String certificatePem() {
        return Pem.certificate(certificate);
    }

    /** The signing key; its owner can impersonate any worker of the job. PKCS#8, as PEM. */
    public String privateKeyPem() {
        return Pem.key(keys.getPrivate());
    }

    /** For one run of one job on one machine, as {@link #CertificateAuthority(String, String, String)}. */
    public CertificateAuthority(String namespace, String job) throws GeneralSecurityException {
        this(namespace, job, "");
    }

    /**
     * For one run of one job.
     *
     * @param uid of the job in the cluster, for the subject; empty outside of one
     * @throws GeneralSecurityException if this JDK lacks P-256 or SHA-256
     */
    public CertificateAuthority(String namespace, String job, String uid) throws GeneralSecurityException {
        this(namespace, job, uid, Instant.now());
    }

    /**
     * As {@link #CertificateAuthority(String, String, String)}, created at another time.
     *
     * @param now begin of its lifetime, apart from a day for clocks that differ
     */
    public CertificateAuthority(String namespace, String job, String uid, Instant now) throws GeneralSecurityException {
        this(namespace, job, newKeys(), subject(namespace, job, uid), now);
    }

    private CertificateAuthority(String namespace, String job, KeyPair keys, byte[] name, Instant now)
            throws GeneralSecurityException {
        this.namespace = namespace;
        this.job = job;
        this.keys = keys;
        this.name = name;
        this.keyId = keyId(keys.getPublic());
        this.certificate = sign(
                name,
                keys.getPublic(),
                List.of(
                        extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.yes())),
                        extension(KEY_USAGE, true, Der.bits(2, new byte[] {0b0000_0100})), // keyCertSign
                        extension(SUBJECT_KEY_IDENTIFIER, false, Der.octets(keyId))),
                now,
                AUTHORITY_LIFETIME);
    }

    /**
     * This authority with a certificate that begins now. Key and subject are the same, so a worker that holds either certificate
     * trusts what the authority has signed and will sign.
     */
    public CertificateAuthority renewed(Instant now) throws GeneralSecurityException {
        return new CertificateAuthority(namespace, job, keys, name, now);
    }

    /** When to renew this authority: at half of the lifetime of its certificate. */
    public Instant renewalTime() {
        return halfOfLifetime(certificate);
    }

    static Instant halfOfLifetime(X509Certificate certificate) {
        Instant begin = certificate.getNotBefore().toInstant();
        return begin.plus(
                Duration.between(begin, certificate.getNotAfter().toInstant()).dividedBy(2));
    }

    /** The certificate that all workers of the run trust. */
    public X509Certificate certificate() {
        return certificate;
    }

    /**
     * A new identity: key, and certificate valid from a day ago for thirty days.
     *
     * @param role {@code daemon}, {@code spawner} or {@code parent}
     * @param worker its name, as {@code daemon-3}
     */
    public Identity issue(String role, String worker) throws GeneralSecurityException {
        return issue(role, worker, Instant.now());
    }

    /** As {@link #issue(String, String)}, at another time. */
    public Identity issue(String role, String worker, Instant now) throws GeneralSecurityException {
        SpiffeId id = new SpiffeId(namespace, job, role, worker);
        KeyPair leaf = newKeys();
        byte[] uri = Der.implicit(URI_NAME, id.uri().getBytes(StandardCharsets.US_ASCII));
        X509Certificate signed = sign(
                commonName(worker),
                leaf.getPublic(),
                List.of(
                        extension(KEY_USAGE, true, Der.bits(7, new byte[] {(byte) 0b1000_0000})), // digitalSignature
                        extension(EXTENDED_KEY_USAGE, false, SERVER_AND_CLIENT),
                        extension(SUBJECT_ALTERNATIVE_NAME, false, Der.sequence(uri)),
                        extension(AUTHORITY_KEY_IDENTIFIER, false, Der.sequence(Der.implicit(0, keyId)))),
                now,
                LIFETIME);
        return new Identity(id, List.of(signed), leaf.getPrivate(), certificate);
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private X509Certificate sign(byte[] subject, PublicKey key, List<byte[]> extensions, Instant now, Duration lifetime)
            throws GeneralSecurityException {
        List<byte[]> fields = new ArrayList<>();
        fields.add(Der.explicit(0, Der.integer(BigInteger.TWO))); // version 3
        fields.add(Der.integer(new BigInteger(127, random).setBit(126))); // serial, RFC 5280 §4.1.2.2
        fields.add(ECDSA_WITH_SHA256);
        fields.add(name);
        fields.add(Der.sequence(Der.time(now.minus(CLOCK_SKEW)), Der.time(now.plus(lifetime))));
        fields.add(subject);
        fields.add(key.getEncoded()); // SubjectPublicKeyInfo
        fields.add(Der.explicit(3, Der.sequence(extensions.toArray(byte[][]::new))));
        byte[] body = Der.sequence(fields.toArray(byte[][]::new));
        byte[] whole = Der.sequence(body, ECDSA_WITH_SHA256, Der.bits(0, signature(keys.getPrivate(), body)));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private byte[] signature(PrivateKey key, byte[] body) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key, random);
        signature.update(body);
        return signature.sign();
    }

    private static byte[] extension(byte[] oid, boolean critical, byte[] value) {
        return critical ? Der.sequence(oid, Der.yes(), Der.octets(value)) : Der.sequence(oid, Der.octets(value));
    }

    private static byte[] commonName(String text) {
        return Der.sequence(attribute(COMMON_NAME, text));
    }

    /** The subject of an authority: namespace and name of the job, and its UID if it has one. */
    private static byte[] subject(String namespace, String job, String uid) {
        byte[] name = attribute(COMMON_NAME, "volary " + namespace + "/" + job);
        return uid.isEmpty() ? Der.sequence(name) : Der.sequence(name, attribute(SERIAL_NUMBER, uid));
    }

    private static byte[] attribute(byte[] type, String text) {
        return Der.set(Der.sequence(type, Der.utf8(text)));
    }

    /** RFC 7093 §2, method 1: the leftmost 160 bits of the SHA-256 of the key. */
    private static byte[] keyId(PublicKey key) throws GeneralSecurityException {
        return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()), 20);
    }
}

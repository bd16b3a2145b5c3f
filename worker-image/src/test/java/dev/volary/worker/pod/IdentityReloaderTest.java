// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.ReloadableIdentity;
import dev.volary.mesh.v1.TlsIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files are those that the kubelet mounts, and are changed one by one, as no kubelet does. */
class IdentityReloaderTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private CertificateAuthority authority;
    private Identity first;
    private ReloadableIdentity identity;
    private IdentityReloader reloader;

    @BeforeEach
    void mountAnIdentity() throws Exception {
        authority = new CertificateAuthority("lab", "heat");
        first = authority.issue("daemon", "heat-d-0");
        write("tls.crt", first.toPem().getCertificateChainPem());
        write("tls.key", first.toPem().getPrivateKeyPem());
        write("ca.crt", first.toPem().getAuthorityPem());
        PodSettings settings = PodSettings.of(Map.of(
                "VOLARY_ROLE", "daemon",
                "VOLARY_NAME", "heat-d-0",
                "VOLARY_ADDRESS", "127.0.0.1",
                "VOLARY_SPAWNERS", "volary-heat-s.lab.svc",
                "VOLARY_TLS", folder.toString()));
        TlsIdentity mounted = settings.identity();
        identity = new ReloadableIdentity(Identity.of(mounted));
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        reloader = new IdentityReloader(
                settings::identity, mounted, identity, new JsonLog(out, "heat-d-0", Clock.systemUTC()));
    }

    @Test
    void anIdentityIsLoadedOnceBothOfItsFilesAreNew() throws Exception {
        reloader.reload();
        assertEquals(leaf(first), leaf(identity.current()));
        assertEquals(List.of(), log());

        Identity next = authority.issue("daemon", "heat-d-0");
        write("tls.crt", next.toPem().getCertificateChainPem());
        reloader.reload();
        assertEquals(leaf(first), leaf(identity.current()), "the key is still the former one");
        assertEquals(List.of(), log(), "one look between two changes is no failure");

        write("tls.key", next.toPem().getPrivateKeyPem());
        reloader.reload();
        assertEquals(leaf(next), leaf(identity.current()));
        assertEquals(1, log().size(), () -> "" + log());
        assertTrue(log().getFirst().contains("loaded a new certificate, valid until "), () -> "" + log());
    }

    @Test
    void anIdentityThatCannotBeUsedIsReportedOnceAndTheFormerStays() throws Exception {
        Identity foreign = new CertificateAuthority("lab", "heat").issue("daemon", "heat-d-0");
        write("tls.crt", foreign.toPem().getCertificateChainPem());
        write("tls.key", foreign.toPem().getPrivateKeyPem());
        for (int look = 0; look < 4; look++) {
            reloader.reload();
        }
        assertEquals(leaf(first), leaf(identity.current()));
        assertEquals(1, log().size(), () -> "" + log());
        assertTrue(log().getFirst().contains("signed by another authority"), () -> "" + log());

        Files.delete(folder.resolve("tls.key"));
        reloader.reload();
        assertEquals(leaf(first), leaf(identity.current()));
        assertFalse(log().size() > 1, () -> "" + log());
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }

    private static X509Certificate leaf(Identity identity) {
        return identity.chain().getFirst();
    }

    private List<String> log() {
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.ReloadableIdentity;
import dev.volary.mesh.v1.TlsIdentity;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;

/**
 * Loads a pod's identity again once the operator has reissued it, two weeks before the former certificate expires. The kubelet
 * updates the mounted files within some two minutes, so one look a minute is enough. A look may fall between the replacement of
 * two files: only the second failure in a row is logged.
 */
final class IdentityReloader implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** Reads the mounted files. */
    @FunctionalInterface
    interface MountedFiles {
        TlsIdentity read() throws IOException;
    }

    private final MountedFiles files;
    private final ReloadableIdentity identity;
    private final JsonLog log;
    private final Thread thread = Thread.ofPlatform().daemon().name("identity").unstarted(this::reloadUntilInterrupted);
    private TlsIdentity seen;
    private int failures;

    /**
     * Does not look yet.
     *
     * @param loaded what the files contained when {@code identity} was made of them
     */
    IdentityReloader(MountedFiles files, TlsIdentity loaded, ReloadableIdentity identity, JsonLog log) {
        this.files = files;
        this.seen = loaded;
        this.identity = identity;
        this.log = log;
    }

    /** Begins to look at the files. */
    void start() {
        thread.start();
    }

    private void reloadUntilInterrupted() {
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                reload();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks at the files once. To be called by one thread. */
    void reload() {
        try {
            TlsIdentity found = files.read();
            if (!found.equals(seen)) {
                Identity next = Identity.of(found);
                identity.replace(next);
                seen = found;
                log.info("loaded a new certificate, valid until "
                        + next.chain().getFirst().getNotAfter().toInstant());
            }
            failures = 0;
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            failures++;
            if (failures == 2) {
                log.error("the identity cannot be loaded again, so the former one stays: " + e);
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

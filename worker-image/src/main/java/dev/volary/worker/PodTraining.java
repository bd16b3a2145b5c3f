package dev.volary.worker;

import dev.volary.mesh.arbiter.ApiServer;
import dev.volary.mesh.arbiter.LeaseArbiter;
import dev.volary.mesh.arbiter.MemoryArbiter;
import dev.volary.mesh.job.Dialer;
import dev.volary.mesh.job.JobFile;
import dev.volary.mesh.job.SpawnerClient;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.TlsIdentity;
import dev.volary.protocol.Address;
import dev.volary.worker.pod.JsonLog;
import dev.volary.worker.pod.PodSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/**
 * A whole job inside one JVM, a spawner and a daemon on loopback addresses of their own: what an image's AOT cache is trained
 * with, for all roles at once. Not used in a pod.
 */
final class PodTraining {
    private static final String SPAWNER = "127.0.0.1";
    private static final String DAEMON = "127.0.0.2";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private PodTraining() {}

    /** Takes the job's description as a file, or {@code check} to do nothing but start. */
    public static void main(String[] args) throws Exception {
        if (args[0].equals("check")) {
            return;
        }
        Path job = Path.of(args[0]);
        JobDescription description = JobFile.read(Files.readString(job));
        Path folder = Path.of(description.getResultFolder());
        CertificateAuthority authority = new CertificateAuthority(description.getNamespace(), description.getName());
        JsonLog log = new JsonLog(System.out, "training", Clock.systemUTC());
        log.takeOver();
        start("spawner", SPAWNER, job, folder, authority, log);
        start("daemon", DAEMON, job, folder, authority, log);
        askNobody(folder);
        try (Dialer dialer = new Dialer("training");
                SpawnerClient spawner = dialer.spawner(
                        new Address(SPAWNER, PodSettings.CONTROL_PORT), authority.issue("operator", "o"))) {
            long until = System.nanoTime() + PATIENCE.toNanos();
            while (!isCertified(spawner)) {
                if (System.nanoTime() > until) {
                    throw new IllegalStateException("the training job does not end; see its log");
                }
                Thread.sleep(Duration.ofMillis(200));
            }
            var _ = spawner.fetch(folder.resolve("fetched"));
        }
        StoreTraining.run(authority.issue("daemon", "store"));
        System.exit(0); // an AOT cache is written by an orderly exit only
    }

    private static void start(
            String role, String address, Path job, Path folder, CertificateAuthority authority, JsonLog log)
            throws Exception {
        Path own = Files.createDirectories(folder.resolve(role));
        TlsIdentity identity = authority.issue(role, role).toPem();
        Files.writeString(own.resolve("tls.crt"), identity.getCertificateChainPem());
        Files.writeString(own.resolve("tls.key"), identity.getPrivateKeyPem());
        Files.writeString(own.resolve("ca.crt"), identity.getAuthorityPem());
        PodSettings settings = PodSettings.of(Map.of(
                "VOLARY_ROLE",
                role,
                "VOLARY_NAME",
                role,
                "VOLARY_ADDRESS",
                address,
                "VOLARY_LISTEN",
                "address",
                "VOLARY_SPAWNERS",
                SPAWNER,
                "VOLARY_LEASE",
                "image/training",
                "VOLARY_JOB_FILE",
                job.toString(),
                "VOLARY_TLS",
                own.toString(),
                "VOLARY_SPOOL",
                own.resolve("spool").toString()));
        PodWorker worker = new PodWorker(settings, new MemoryArbiter(), log);
        Thread.ofPlatform().daemon().name(role).start(() -> {
            try {
                int ended = worker.run();
                log.error(role + " ended with " + ended);
            } catch (Exception e) {
                log.error(role + " failed: " + e);
            }
        });
    }

    /** Nobody answers there; but the classes that ask are seen. */
    private static void askNobody(Path folder) throws IOException {
        ApiServer nobody = new ApiServer(
                URI.create("https://127.0.0.1:9"),
                Files.writeString(folder.resolve("token"), "none"),
                folder.resolve("spawner").resolve("ca.crt"));
        try {
            var _ = new LeaseArbiter(nobody, "image/training", Clock.systemUTC()).read();
        } catch (IOException asExpected) {
            // There is no API server where images are built.
        }
    }

    private static boolean isCertified(SpawnerClient spawner) {
        try {
            StatusReply status = spawner.status(0);
            return status.getPhase() == Phase.PHASE_FINISHED && status.getResultReady();
        } catch (IOException notYet) {
            return false;
        }
    }
}

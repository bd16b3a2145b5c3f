// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.training;

import dev.volary.mesh.arbiter.ApiServer;
import dev.volary.mesh.arbiter.LeaseArbiter;
import dev.volary.mesh.arbiter.MemoryArbiter;
import dev.volary.mesh.job.JobDescriptionFile;
import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.ResultDigest;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.Phase;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.TlsIdentity;
import dev.volary.protocol.model.Address;
import dev.volary.worker.pod.JsonLog;
import dev.volary.worker.pod.PodSettings;
import dev.volary.worker.pod.PodWorker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A whole job inside one JVM, each worker on a loopback address of its own: what an image's AOT cache is trained with, for all
 * roles at once. Not used in a pod.
 */
final class PodTraining {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private PodTraining() {}

    /** Takes the job's description as a file, or {@code check} to do nothing but start. */
    public static void main(String[] args) throws Exception {
        if (args[0].equals("check")) {
            return;
        }
        Path job = Path.of(args[0]);
        JobDescription description = JobDescriptionFile.read(Files.readString(job));
        Path folder = Path.of(description.getResultFolder());
        CertificateAuthority authority = new CertificateAuthority(description.getNamespace(), description.getName());
        JsonLog log = new JsonLog(System.out, "training", Clock.systemUTC());
        log.takeOver();
        List<String> spawners = addresses(1, description.getExpectedSpawners());
        List<String> daemons = addresses(1 + spawners.size(), description.getExpectedDaemons());
        MemoryArbiter arbiter = new MemoryArbiter();
        Workers workers = new Workers(job, folder, authority, arbiter, String.join(",", spawners), log);
        for (String address : spawners) {
            workers.start("spawner", address);
        }
        for (String address : daemons) {
            workers.start("daemon", address);
        }
        loadArbiterClasses(folder);
        try (ApiChannels channels = new ApiChannels("training")) {
            fetch(channels, spawners, authority.issue("operator", "o"), folder);
        }
        StoreTraining.run(authority.issue("daemon", "store"));
        System.exit(0); // an AOT cache is written by an orderly exit only
    }

    private static List<String> addresses(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(i -> "127.0.0." + i)
                .toList();
    }

    /** Fetches the result from a spawner that holds it, and says so: otherwise the spawners would not end. */
    private static void fetch(ApiChannels channels, List<String> spawners, Identity identity, Path folder)
            throws Exception {
        List<SpawnerClient> clients = new ArrayList<>();
        for (String address : spawners) {
            clients.add(channels.spawner(new Address(address, PodSettings.CONTROL_PORT), identity));
        }
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < until) {
            for (SpawnerClient spawner : clients) {
                if (isCertified(spawner)) {
                    spawner.acknowledge(ResultDigest.of(spawner.fetch(folder.resolve("fetched"))));
                    return;
                }
            }
            Thread.sleep(Duration.ofMillis(200));
        }
        throw new IllegalStateException("the training job does not end; see its log");
    }

    /** Starts workers that share a job, its arbiter and its files. */
    private record Workers(
            Path job,
            Path folder,
            CertificateAuthority authority,
            MemoryArbiter arbiter,
            String spawners,
            JsonLog log) {

        void start(String role, String address) throws Exception {
            Path own = Files.createDirectories(folder.resolve(address));
            TlsIdentity identity = authority.issue(role, address).toPem();
            Files.writeString(own.resolve("tls.crt"), identity.getCertificateChainPem());
            Files.writeString(own.resolve("tls.key"), identity.getPrivateKeyPem());
            Files.writeString(own.resolve("ca.crt"), identity.getAuthorityPem());
            PodSettings settings = PodSettings.of(Map.of(
                    "VOLARY_ROLE",
                    role,
                    "VOLARY_NAME",
                    role + "-" + address,
                    "VOLARY_ADDRESS",
                    address,
                    "VOLARY_LISTEN",
                    "address",
                    "VOLARY_SPAWNERS",
                    spawners,
                    "VOLARY_LEASE",
                    "image/training",
                    "VOLARY_JOB_FILE",
                    job.toString(),
                    "VOLARY_TLS",
                    own.toString(),
                    "VOLARY_SPOOL",
                    own.resolve("spool").toString()));
            PodWorker worker = new PodWorker(settings, arbiter, log);
            Thread.ofPlatform().daemon().name(role + "-" + address).start(() -> {
                try {
                    int ended = worker.run();
                    log.error(role + " ended with " + ended);
                } catch (Exception e) {
                    log.error(role + " failed: " + e);
                }
            });
        }
    }

    /** Reads a Lease from a server that does not answer, so that the classes for it are loaded. */
    private static void loadArbiterClasses(Path folder) throws IOException {
        ApiServer unreachable = new ApiServer(
                URI.create("https://127.0.0.1:9"),
                Files.writeString(folder.resolve("token"), "none"),
                folder.resolve("127.0.0.1").resolve("ca.crt"));
        try {
            var _ = new LeaseArbiter(unreachable, "image/training", Clock.systemUTC()).read();
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

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.arbiter.Arbiter;
import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.job.ContainerHeap;
import dev.volary.mesh.job.JobDescriptionFile;
import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.WorkerApi;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.tls.ReloadableIdentity;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.Role;
import dev.volary.mesh.v1.Start;
import dev.volary.mesh.v1.TlsIdentity;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Stop;
import dev.volary.protocol.model.Address;
import dev.volary.solver.InvalidProblemException;
import dev.volary.worker.Worker;
import dev.volary.worker.local.WorkerMain;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A pod's worker from the container's start to its end. A worker that was evicted restarts in its place under another
 * identity; one whose job is over idles until the pod is deleted.
 */
public final class PodWorker implements AutoCloseable {
    /** How long a leaving worker may take to hand over; the kubelet's patience is 30 s unless the pod says otherwise. */
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(20);

    /** How long a leaving spawner waits for clients and for another holder; the pod's grace period is shorter as a rule. */
    private static final Duration RESULT_TIMEOUT = Duration.ofMinutes(5);

    /** A worker that has left and whose pod is not deleted by then restarts. */
    private static final Duration DELETION_WAIT = Duration.ofSeconds(60);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private enum End {
        EVICTED,
        FAILED
    }

    private final PodSettings settings;
    private final Arbiter arbiter;
    private final JsonLog log;
    private final JobDescription job;
    private final PodMetrics metrics = new PodMetrics();
    private final ApiChannels channels = new ApiChannels("calls");
    private final SecureRandom random = new SecureRandom();
    private final CountDownLatch over = new CountDownLatch(1);
    private final PodHttp http;
    private final JobStatusView statusView;
    private volatile Optional<String> unready = Optional.of("the worker is starting");
    private volatile Optional<Worker> worker = Optional.empty();
    private volatile Optional<PodSpawnerApi> spawner = Optional.empty();
    private volatile boolean leaving;

    /**
     * A worker that only serves HTTP so far.
     *
     * @param arbiter that a spawner asks
     * @throws IOException if a file is missing or wrong, or the HTTP port is taken
     */
    public PodWorker(PodSettings settings, Arbiter arbiter, JsonLog log) throws IOException {
        this.settings = settings;
        this.arbiter = arbiter;
        this.log = log;
        JobDescription description = JobDescriptionFile.read(Files.readString(settings.jobFile()));
        this.job = settings.spool()
                .map(folder -> description.toBuilder().setResultFolder(folder).build())
                .orElse(description);
        this.statusView = new JobStatusView(new ResultSpool(folder()), metrics);
        this.http = new PodHttp(
                settings.onlyAddress()
                        ? new InetSocketAddress(settings.address(), PodSettings.HTTP_PORT)
                        : new InetSocketAddress(PodSettings.HTTP_PORT),
                metrics,
                () -> unready);
    }

    /**
     * Runs until the process shall end.
     *
     * @return its exit status
     */
    public int run() throws IOException, GeneralSecurityException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::leave, "leave"));
        TlsIdentity mounted = settings.identity();
        ReloadableIdentity identity = new ReloadableIdentity(Identity.of(mounted));
        try (IdentityReloader reloader = new IdentityReloader(settings::identity, mounted, identity, log)) {
            reloader.start();
            Optional<Integer> status = runOnce(identity);
            while (status.isEmpty()) {
                try {
                    status = runOnce(identity);
                } catch (IOException e) {
                    // Something of the former worker is still there, a port for example: a new process is free of it.
                    log.error("the worker cannot restart in this process: " + e.getMessage());
                    status = Optional.of(WorkerMain.EVICTED);
                }
            }
            return status.get();
        }
    }

    /** Runs the worker under one id. Late reports of a former id do not reach this one. */
    private Optional<Integer> runOnce(IdentitySource identity)
            throws IOException, GeneralSecurityException, InterruptedException {
        LinkedBlockingQueue<End> ends = new LinkedBlockingQueue<>();
        boolean isSpawner = settings.role() == Role.ROLE_SPAWNER;
        Address own = new Address(settings.address(), PodSettings.CONTROL_PORT);
        try (SpawnerDiscovery spawners = new SpawnerDiscovery(
                        new SpawnerNames(settings.spawners()), job.getExpectedSpawners(), own, identity, channels);
                AsyncArbiter access = new AsyncArbiter(arbiter, this::answered, log::info);
                PodSpawnerApi calls =
                        new PodSpawnerApi(job, statusView, folder(), spawners, channels, identity, access, log::info)) {
            PodHostChannel channel = new PodHostChannel(
                    log,
                    metrics,
                    Optional.of(access).filter(a -> isSpawner),
                    Optional.of(statusView).filter(b -> isSpawner),
                    spawners,
                    Optional.of(calls).filter(c -> isSpawner),
                    workerCalls(),
                    over::countDown,
                    broken -> ends.add(End.FAILED));
            spawner = Optional.of(calls);
            if (isSpawner && new ResultSpool(folder()).outcome().isPresent()) {
                return keep(identity, channel, calls);
            }
            Worker started;
            try {
                started = Worker.start(start(), identity, channel, () -> ends.add(End.EVICTED));
            } catch (InvalidProblemException e) {
                return refuse(e, identity, channel, calls, isSpawner);
            }
            worker = Optional.of(started);
            calls.attach(started);
            metrics.tolerance(started.job().getAbsoluteTolerance());
            unready = Optional.empty();
            spawners.start(found -> started.offer(new WorkerEvent.SpawnersFound(found)));
            return await(started, ends, isSpawner);
        } finally {
            worker = Optional.empty();
            unready = Optional.of("the worker is restarting");
        }
    }

    private Optional<Integer> await(Worker started, BlockingQueue<End> ends, boolean isSpawner)
            throws InterruptedException {
        End end = isSpawner ? null : ends.take();
        while (end == null) {
            end = ends.poll(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            if (statusView.hasHolders()) {
                metrics.backups(statusView.copiesInForce(started.job()));
            }
            if (statusView.isRecovering()) {
                var _ = started.view().thenAccept(statusView::updateRecoveries);
            }
        }
        if (leaving) {
            over.countDown();
            unready = Optional.of("the worker has handed over what it computed");
            Thread.sleep(DELETION_WAIT);
            leaving = false;
        }
        boolean clean = closed(started) && started.isProcessReusable();
        if (end == End.FAILED) {
            return Optional.of(1);
        }
        log.info("this worker was evicted from the job; restarting with a new identity");
        return clean ? Optional.empty() : Optional.of(WorkerMain.EVICTED);
    }

    /** Whether all of it has ended; what has not ends with the process. */
    private boolean closed(Worker ended) {
        try {
            ended.close();
            return true;
        } catch (RuntimeException e) {
            log.info("the worker does not end in this process: " + e); // no error: that would hide why it ends
            return false;
        }
    }

    private void answered(LeaderElectionRecord record) {
        worker.ifPresent(w -> w.offer(new SpawnerEvent.ArbiterAnswered(record)));
    }

    private Start start() {
        long heap = Runtime.getRuntime().maxMemory();
        return Start.newBuilder()
                .setJob(job)
                .setNodeId(1 + (random.nextLong() >>> 2))
                .setRole(settings.role())
                .setName(settings.name())
                .setMachine(settings.node())
                .setZone(settings.zone())
                .setCores(settings.cores())
                .setMemoryBytes((long) (heap * ContainerHeap.BLOCKS_SHARE))
                .setHost(settings.address())
                .setPort(PodSettings.CONTROL_PORT)
                .setBulkPort(PodSettings.BULK_PORT)
                .setStorePort(PodSettings.STORE_PORT)
                .setAllInterfaces(!settings.onlyAddress())
                .build();
    }

    /** The problem cannot be opened, here or anywhere: a spawner says so for the job, a daemon waits for its end. */
    private Optional<Integer> refuse(
            InvalidProblemException e,
            IdentitySource identity,
            PodHostChannel channel,
            PodSpawnerApi calls,
            boolean isSpawner)
            throws IOException, InterruptedException {
        String reason = settings.name() + " cannot start: " + e.getMessage();
        log.error(reason);
        unready = Optional.of(reason);
        if (isSpawner) {
            statusView.finished(new JobOutcome.Failed(String.valueOf(e.getMessage())));
            return keep(identity, channel, calls);
        }
        return idle();
    }

    /** The job is over, by what an earlier container of this pod wrote down: what is left of it is served. */
    private Optional<Integer> keep(IdentitySource identity, PodHostChannel channel, PodSpawnerApi calls)
            throws IOException, InterruptedException {
        JobOutcome outcome = LocalCodec.read(new ResultSpool(folder()).outcome().orElseThrow());
        Optional<String> reason =
                outcome instanceof JobOutcome.Failed failed ? Optional.of(failed.reason()) : Optional.empty();
        CompletableFuture<Mesh> there = new CompletableFuture<>();
        try (Mesh mesh = Worker.serveAfterEnd(start(), identity, channel, (from, message) -> {
            if (!(message instanceof Stop || message instanceof MembershipMessage.PeerMessage)) {
                var _ = there.thenAccept(m -> m.send(from, new Stop(reason)));
            }
        })) {
            there.complete(mesh);
            calls.serveResultOnly(mesh.self());
            unready = Optional.empty();
            return idle();
        }
    }

    private static Optional<Integer> idle() throws InterruptedException {
        new CountDownLatch(1).await(); // until the pod is deleted
        return Optional.of(0);
    }

    private WorkerApi workerCalls() {
        return new WorkerApi() {
            @Override
            public CompletableFuture<Void> halt(CompletableFuture<Void> answered) {
                if (!job.getChaosAllowed()) {
                    throw new IllegalStateException("this job allows no chaos; set spec.chaos.allowed: true");
                }
                var _ = answered.thenRun(PodMain::halt);
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public CompletableFuture<Void> leave() {
                worker.filter(w -> settings.role() == Role.ROLE_DAEMON).ifPresent(w -> {
                    leaving = true;
                    w.leave();
                });
                return CompletableFuture.completedFuture(null);
            }
        };
    }

    /**
     * SIGTERM: a daemon hands over what it computes; a spawner waits until clients that fetch the result have finished, and another
     * spawner holds it, at most until the pod's grace period is over. The others notice a spawner's end by its refused connections, at once.
     */
    private void leave() {
        try {
            Optional<Worker> there = worker;
            if (settings.role() == Role.ROLE_DAEMON && there.isPresent()) {
                leaving = true;
                there.get().leave();
                boolean handedOver = over.await(LEAVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
                log.info(handedOver ? "everything is handed over" : "handover timed out; exiting without it");
            } else {
                long until = System.nanoTime() + RESULT_TIMEOUT.toNanos();
                spawner.ifPresent(PodSpawnerApi::leave);
                while (spawner.filter(PodSpawnerApi::mustStay).isPresent() && System.nanoTime() < until) {
                    Thread.sleep(POLL_INTERVAL);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Path folder() {
        return Path.of(job.getResultFolder());
    }

    @Override
    public void close() {
        http.close();
        channels.close();
    }
}

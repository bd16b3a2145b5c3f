// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.job.spec.JobSpec;
import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.v1.ChildToParent;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.Start;
import dev.volary.protocol.WorkerRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The worker processes of a local run and their places. Where a process has ended, another one of the same role is started under
 * a new identity, as a cluster would. All methods but {@link #kill} belong to the run's thread.
 */
final class WorkerPool {
    private final ValidatedJob checked;
    private final JobDescription job;
    private final RunSettings settings;
    private final WorkerJvm jvm;
    private final BiConsumer<WorkerProcess, ChildToParent> onMessage;
    private final BiConsumer<WorkerProcess, Integer> onExit;
    private final SecureRandom random = new SecureRandom();
    private final List<WorkerSlot> places = new ArrayList<>();
    private final Map<WorkerRole, Integer> serials = new EnumMap<>(WorkerRole.class);
    private final Map<String, Long> pids = new HashMap<>();
    /** All processes that were started and have not ended; the lock is taken wherever the list is used. */
    private final List<WorkerProcess> processes = new ArrayList<>();

    private Optional<CertificateAuthority> authority = Optional.empty();
    private boolean withStandbys;

    /**
     * A crew without processes.
     *
     * @param onMessage called on threads of their own
     * @param onExit likewise, once for each process
     */
    WorkerPool(
            ValidatedJob checked,
            JobDescription job,
            RunSettings settings,
            WorkerJvm jvm,
            BiConsumer<WorkerProcess, ChildToParent> onMessage,
            BiConsumer<WorkerProcess, Integer> onExit) {
        this.checked = checked;
        this.job = job;
        this.settings = settings;
        this.jvm = jvm;
        this.onMessage = onMessage;
        this.onExit = onExit;
        JobSpec spec = checked.spec();
        makePlaces(WorkerRole.SPAWNER, spec.spawnerCount(), 0);
        makePlaces(WorkerRole.DAEMON, spec.daemons().replicas(), spec.daemons().standbys());
    }

    private void makePlaces(WorkerRole role, int count, int standbys) {
        for (int i = 0; i < count + standbys; i++) {
            String zone = settings.zones() > 0 ? "zone-" + i % settings.zones() : "";
            int port = settings.basePort() > 0 ? settings.basePort() + 2 * places.size() : 0;
            places.add(new WorkerSlot(role, zone, port, i >= count));
        }
    }

    /**
     * Starts all but the standbys.
     *
     * @throws IOException if a process cannot be started
     * @throws GeneralSecurityException if this JDK cannot make the certificates
     */
    void start() throws IOException, GeneralSecurityException {
        Files.createDirectories(logs());
        // JVMs take a while to come up: start them all before anything else is prepared.
        for (WorkerSlot place : places) {
            if (!place.isStandby()) {
                launch(place, false);
            }
        }
        authority = Optional.of(new CertificateAuthority(job.getNamespace(), job.getName()));
        for (WorkerSlot place : places) {
            if (place.process().isPresent()) {
                introduce(place.process().get(), place);
            }
        }
    }

    /** From now on standbys may start, one after the other: what computes already shall not notice. */
    void admitStandbys() {
        withStandbys = true;
    }

    /** Starts the processes that are due. */
    void fill(long now) throws IOException, GeneralSecurityException {
        for (WorkerSlot place : places) {
            boolean isNew = place.isStandby() && place.earlier().isEmpty();
            if (place.process().isEmpty()
                    && now >= place.rule().startAt()
                    && (!isNew || (withStandbys && !isStandbyStarting()))) {
                launch(place, true);
                introduce(place.process().orElseThrow(), place);
            }
        }
    }

    private boolean isStandbyStarting() {
        return places.stream()
                .anyMatch(place -> place.isStandby() && place.process().isPresent() && !place.isUp());
    }

    private void launch(WorkerSlot place, boolean othersCompute) throws IOException {
        String role = name(place.role());
        int serial = serials.merge(place.role(), 1, Integer::sum) - 1;
        String name = role + "-" + serial;
        WorkerProcess worker = WorkerProcess.start(
                name, jvm.command(role, memory(place.role()), othersCompute), logs().resolve(name + ".log"));
        synchronized (processes) {
            processes.add(worker);
        }
        pids.put(name, worker.pid());
        place.started(worker);
        worker.listen(onMessage, onExit);
    }

    private void introduce(WorkerProcess worker, WorkerSlot place) throws GeneralSecurityException {
        boolean isDaemon = place.role() == WorkerRole.DAEMON;
        int daemons = checked.spec().daemons().replicas();
        Start.Builder start = Start.newBuilder()
                .setJob(job)
                .setIdentity(authority
                        .orElseThrow()
                        .issue(name(place.role()), worker.name())
                        .toPem())
                .setNodeId(1 + (random.nextLong() >>> 2))
                .setRole(Shapes.write(place.role()))
                .setName(worker.name())
                .setZone(place.zone())
                .setCores(isDaemon ? Math.max(1, Runtime.getRuntime().availableProcessors() / daemons) : 1)
                .setMemoryBytes(memory(place.role()).blocks())
                .setHost("127.0.0.1");
        if (place.port() > 0) {
            start.setPort(place.port()).setBulkPort(place.port() + 1);
        }
        worker.send(ParentToChild.newBuilder().setStart(start).build());
    }

    private WorkerMemory memory(WorkerRole role) {
        return WorkerMemory.of(checked, job.getCopies(), role == WorkerRole.DAEMON);
    }

    private Path logs() {
        return settings.output().resolve("logs");
    }

    private static String name(WorkerRole role) {
        return switch (role) {
            case DAEMON -> "daemon";
            case SPAWNER -> "spawner";
        };
    }

    /** The place that a process has now. */
    Optional<WorkerSlot> placeOf(WorkerProcess worker) {
        return places.stream()
                .filter(place -> place.process().filter(worker::equals).isPresent())
                .findFirst();
    }

    /** The place of a worker by its name. */
    Optional<WorkerSlot> placeOf(String worker) {
        return places.stream()
                .filter(place -> place.process()
                        .filter(process -> process.name().equals(worker))
                        .isPresent())
                .findFirst();
    }

    /** A process has ended; its place is empty. */
    void ended(WorkerProcess worker, WorkerSlot place) {
        place.ended(System.nanoTime());
        synchronized (processes) {
            processes.remove(worker);
        }
    }

    /** Places whose worker is up. */
    List<WorkerSlot> up() {
        return places.stream().filter(WorkerSlot::isUp).toList();
    }

    /** Tells every worker. */
    void sendAll(ParentToChild message) {
        alive().forEach(worker -> worker.send(message));
    }

    /** The process of each worker there ever was, by its name. */
    Map<String, Long> pids() {
        return Map.copyOf(pids);
    }

    /**
     * Tells all workers to end, without waiting.
     *
     * @param stop their last message
     */
    void stop(ParentToChild stop) {
        alive().forEach(worker -> worker.stop(stop));
    }

    /**
     * Ends all workers and returns when they are gone.
     *
     * @param stop their last message
     * @param graceMillis each may take before it is killed
     */
    void end(ParentToChild stop, long graceMillis) {
        List<WorkerProcess> all = alive();
        all.forEach(worker -> worker.stop(stop));
        for (WorkerSlot place : places) {
            if (place.isPaused()) {
                place.process().ifPresent(WorkerProcess::kill);
            }
        }
        all.forEach(worker -> worker.end(graceMillis));
    }

    /** Kills all workers, without waiting; from any thread. */
    void kill() {
        alive().forEach(WorkerProcess::kill);
    }

    private List<WorkerProcess> alive() {
        synchronized (processes) {
            return List.copyOf(processes);
        }
    }
}

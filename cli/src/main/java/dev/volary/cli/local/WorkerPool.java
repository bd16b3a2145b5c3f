// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.job.spec.JobSpec;
import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.v1.ChildToParent;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.Start;
import dev.volary.protocol.model.WorkerRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The worker processes of a local run. When a process ends, the pool starts another one of the same role with a new identity,
 * as a cluster would. All methods except {@link #kill} are called by the thread of the run.
 */
final class WorkerPool {
    private final ValidatedJob checked;
    private final JobDescription job;
    private final RunSettings settings;
    private final WorkerJvm jvm;
    private final BiConsumer<WorkerProcess, ChildToParent> onMessage;
    private final BiConsumer<WorkerProcess, Integer> onExit;
    private final SecureRandom random = new SecureRandom();
    private final List<WorkerSlot> slots = new ArrayList<>();
    private final Map<WorkerRole, Integer> serials = new EnumMap<>(WorkerRole.class);
    private final Map<String, Long> pids = new HashMap<>();
    private final Map<String, Duration> coreTimes = new HashMap<>();
    /** All processes that have not ended; guarded by its own lock. */
    private final List<WorkerProcess> processes = new ArrayList<>();

    private Optional<CertificateAuthority> authority = Optional.empty();
    private boolean mayStartStandbys;

    /**
     * A pool without processes.
     *
     * @param onMessage receives messages of workers; called on any thread
     * @param onExit receives the exit status of each process, after its last message; called on any thread
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
        createSlots(WorkerRole.SPAWNER, spec.spawnerCount(), 0);
        createSlots(WorkerRole.DAEMON, spec.daemons().replicas(), spec.daemons().standbys());
    }

    private void createSlots(WorkerRole role, int count, int standbys) {
        for (int i = 0; i < count + standbys; i++) {
            String zone = settings.zones() > 0 ? "zone-" + i % settings.zones() : "";
            int port = settings.basePort() > 0 ? settings.basePort() + 2 * slots.size() : 0;
            slots.add(new WorkerSlot(role, zone, port, i >= count));
        }
    }

    /**
     * Starts all workers except standbys.
     *
     * @throws IOException if a process cannot be started
     * @throws GeneralSecurityException if this JDK cannot create the certificates
     */
    void start() throws IOException, GeneralSecurityException {
        Files.createDirectories(logs());
        // JVMs take a while to start: start them all before anything else is prepared
        for (WorkerSlot slot : slots) {
            if (!slot.isStandby()) {
                launch(slot);
            }
        }
        authority = Optional.of(new CertificateAuthority(job.getNamespace(), job.getName()));
        for (WorkerSlot slot : slots) {
            if (slot.process().isPresent()) {
                sendStart(slot.process().get(), slot);
            }
        }
    }

    /** Lets standbys start from now on, one after the other, to leave processor time to computing daemons. */
    void allowStandbys() {
        mayStartStandbys = true;
    }

    /** Starts the processes that are due.
     *
     * @param now in nanoseconds
     */
    void startDue(long now) throws IOException, GeneralSecurityException {
        for (WorkerSlot slot : slots) {
            boolean isNew = slot.isStandby() && slot.predecessor().isEmpty();
            if (slot.process().isEmpty()
                    && now >= slot.restartPolicy().startAt()
                    && (!isNew || (mayStartStandbys && !isStandbyStarting()))) {
                launch(slot);
                sendStart(slot.process().orElseThrow(), slot);
            }
        }
    }

    private boolean isStandbyStarting() {
        return slots.stream()
                .anyMatch(slot -> slot.isStandby() && slot.process().isPresent() && !slot.isReady());
    }

    private void launch(WorkerSlot slot) throws IOException {
        String role = name(slot.role());
        int serial = serials.merge(slot.role(), 1, Integer::sum) - 1;
        String name = role + "-" + serial;
        WorkerProcess worker =
                WorkerProcess.start(name, jvm.command(role, memory(slot.role())), logs().resolve(name + ".log"));
        synchronized (processes) {
            processes.add(worker);
        }
        pids.put(name, worker.pid());
        slot.started(worker);
        worker.listen(onMessage, onExit);
    }

    private void sendStart(WorkerProcess worker, WorkerSlot slot) throws GeneralSecurityException {
        boolean isDaemon = slot.role() == WorkerRole.DAEMON;
        int daemons = checked.spec().daemons().replicas();
        Start.Builder start = Start.newBuilder()
                .setJob(job)
                .setIdentity(authority
                        .orElseThrow()
                        .issue(name(slot.role()), worker.name())
                        .toPem())
                .setNodeId(1 + (random.nextLong() >>> 2))
                .setRole(Shapes.write(slot.role()))
                .setName(worker.name())
                .setZone(slot.zone())
                .setCores(isDaemon ? Math.max(1, Runtime.getRuntime().availableProcessors() / daemons) : 1)
                .setMemoryBytes(memory(slot.role()).blocks())
                .setHost("127.0.0.1");
        if (slot.port() > 0) {
            start.setPort(slot.port()).setBulkPort(slot.port() + 1);
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

    /** The slot of a process. */
    Optional<WorkerSlot> slotOf(WorkerProcess worker) {
        return slots.stream()
                .filter(slot -> slot.process().filter(worker::equals).isPresent())
                .findFirst();
    }

    /** The slot of a worker by its name. */
    Optional<WorkerSlot> slotOf(String worker) {
        return slots.stream()
                .filter(slot -> slot.process()
                        .filter(process -> process.name().equals(worker))
                        .isPresent())
                .findFirst();
    }

    /** A process ended; its slot is empty. */
    void ended(WorkerProcess worker, WorkerSlot slot) {
        slot.ended(System.nanoTime());
        synchronized (processes) {
            processes.remove(worker);
        }
    }

    /** Slots whose worker is ready. */
    List<WorkerSlot> ready() {
        return slots.stream().filter(WorkerSlot::isReady).toList();
    }

    /** Sends a message to every worker. */
    void sendAll(ParentToChild message) {
        alive().forEach(worker -> worker.send(message));
    }

    /** The process id of each worker that was ever started, by name. */
    Map<String, Long> pids() {
        return Map.copyOf(pids);
    }

    /** Processor time of all workers that there ever were; of one that has ended, as much as it had at the call before that. */
    Duration coreTime() {
        alive().forEach(worker -> worker.coreTime().ifPresent(time -> coreTimes.put(worker.name(), time)));
        return coreTimes.values().stream().reduce(Duration.ZERO, Duration::plus);
    }

    /**
     * Asks all workers to end, without waiting.
     *
     * @param stop the message that asks them
     */
    void stop(ParentToChild stop) {
        alive().forEach(worker -> worker.stop(stop));
    }

    /**
     * Ends all workers and waits until their processes have ended.
     *
     * @param stop the message that asks them
     * @param graceMillis time after which a worker is killed
     */
    void end(ParentToChild stop, long graceMillis) {
        List<WorkerProcess> all = alive();
        all.forEach(worker -> worker.stop(stop));
        for (WorkerSlot slot : slots) {
            if (slot.isPaused()) {
                slot.process().ifPresent(WorkerProcess::kill);
            }
        }
        all.forEach(worker -> worker.end(graceMillis));
    }

    /** Kills all workers, without waiting. May be called by any thread. */
    void kill() {
        alive().forEach(WorkerProcess::kill);
    }

    private List<WorkerProcess> alive() {
        synchronized (processes) {
            return List.copyOf(processes);
        }
    }
}

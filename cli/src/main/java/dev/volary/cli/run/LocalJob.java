package dev.volary.cli.run;

import dev.volary.cli.check.CheckedJob;
import dev.volary.crd.JobSpec;
import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.tls.CertificateAuthority;
import dev.volary.mesh.v1.ChildToParent;
import dev.volary.mesh.v1.CompareAndSet;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.Role;
import dev.volary.mesh.v1.Spawners;
import dev.volary.mesh.v1.Start;
import dev.volary.mesh.v1.StopWorker;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.Member;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Outcome;
import dev.volary.solver.InvalidProblem;
import dev.volary.solver.Parameter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One local run: starts the workers, gives each its identity and job over stdin, is their arbiter and their discovery, and
 * waits for the lead's verdict. Spawners lead; this process decides nothing about the job.
 */
final class LocalJob implements AutoCloseable {
    private static final long TICK_MILLIS = 100;
    private static final long STORE_BYTES = 48L << 20;
    private static final long END_GRACE_MILLIS = 2_000;
    /** Writing an AOT cache takes a while. */
    private static final long TRAINING_GRACE_MILLIS = 120_000;

    private sealed interface Heard {
        record Said(WorkerProcess worker, ChildToParent message) implements Heard {}

        record Exited(WorkerProcess worker, int status) implements Heard {}
    }

    private final CheckedJob checked;
    private final JobDescription job;
    private final RunSettings settings;
    private final WorkerJvm jvm;
    private final RunObserver observer;
    private final LocalArbiter arbiter = new LocalArbiter();
    private final LinkedBlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final List<Member> spawners = new ArrayList<>();
    private final Map<NodeId, String> names = new HashMap<>();
    private final Thread hook = new Thread(this::killAll, "end-workers");

    LocalJob(CheckedJob checked, JobDescription job, RunSettings settings, WorkerJvm jvm, RunObserver observer) {
        this.checked = checked;
        this.job = job;
        this.settings = settings;
        this.jvm = jvm;
        this.observer = observer;
    }

    /**
     * Runs the job to its end.
     *
     * @throws IOException if a process cannot be started
     * @throws GeneralSecurityException if this JDK cannot make the certificates
     */
    Outcome run() throws IOException, GeneralSecurityException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(hook);
        Path logs = settings.output().resolve("logs");
        Files.createDirectories(logs);
        JobSpec spec = checked.manifest().job().spec();
        // JVMs take a while to come up: start them all before anything else is prepared.
        for (int i = 0; i < spec.spawners().replicas(); i++) {
            launch("spawner", i, spawnerHeap(), logs);
        }
        for (int i = 0; i < spec.daemons().replicas(); i++) {
            launch("daemon", i, daemonHeap(spec.daemons().replicas()), logs);
        }
        introduce(spec);
        return await();
    }

    private void launch(String role, int serial, long heap, Path logs) throws IOException {
        String name = role + "-" + serial;
        WorkerProcess worker = WorkerProcess.start(
                name, jvm.command(role, serial == 0, heap, copiesHeap()), logs.resolve(name + ".log"));
        synchronized (workers) {
            workers.add(worker);
        }
        worker.listen(
                (who, message) -> heard.add(new Heard.Said(who, message)),
                (who, status) -> heard.add(new Heard.Exited(who, status)));
    }

    private void introduce(JobSpec spec) throws GeneralSecurityException {
        CertificateAuthority authority = new CertificateAuthority(job.getNamespace(), job.getName());
        SecureRandom random = new SecureRandom();
        int cores = Math.max(
                1, Runtime.getRuntime().availableProcessors() / spec.daemons().replicas());
        int port = settings.basePort();
        for (WorkerProcess worker : List.copyOf(workers)) {
            boolean daemon = worker.name().startsWith("daemon");
            Start.Builder start = Start.newBuilder()
                    .setJob(job)
                    .setIdentity(authority
                            .issue(daemon ? "daemon" : "spawner", worker.name())
                            .toPem())
                    .setNodeId(1 + (random.nextLong() >>> 2))
                    .setRole(daemon ? Role.ROLE_DAEMON : Role.ROLE_SPAWNER)
                    .setName(worker.name())
                    .setCores(daemon ? cores : 1)
                    .setMemoryBytes(daemon ? daemonHeap(spec.daemons().replicas()) : spawnerHeap())
                    .setHost("127.0.0.1");
            if (port > 0) {
                start.setPort(port).setBulkPort(port + 1);
                port += 2;
            }
            worker.send(ParentToChild.newBuilder().setStart(start).build());
        }
    }

    private Outcome await() throws InterruptedException {
        while (true) {
            Heard next = heard.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
            Outcome outcome =
                    switch (next) {
                        case null -> null;
                        case Heard.Said(WorkerProcess worker, ChildToParent message) -> said(worker, message);
                        case Heard.Exited(WorkerProcess worker, int status) ->
                            new Outcome.Failed("%s (pid %d) ended unexpectedly with status %d; its log is %s"
                                    .formatted(worker.name(), worker.pid(), status, worker.log()));
                    };
            observer.tick();
            if (outcome != null) {
                return outcome;
            }
        }
    }

    private @Nullable Outcome said(WorkerProcess worker, ChildToParent message) {
        switch (message.getPayloadCase()) {
            case READY -> ready(Shapes.read(message.getReady().getMember()));
            case READ_ARBITER -> answer(worker);
            case COMPARE_AND_SET -> {
                CompareAndSet request = message.getCompareAndSet();
                arbiter.compareAndSet(LocalCodec.read(request.getExpected()), LocalCodec.read(request.getNext()));
                answer(worker);
            }
            case EVENT -> {
                JobEvent event = LocalCodec.read(message.getEvent());
                observer.event(event, names);
            }
            case FINISHED -> {
                return LocalCodec.read(message.getFinished());
            }
            case FAILURE -> {
                return new Outcome.Failed(message.getFailure());
            }
            case LINKS -> observer.links(message.getLinks());
            case PAYLOAD_NOT_SET -> {}
        }
        return null;
    }

    private void ready(Member member) {
        names.put(member.id(), member.name());
        observer.ready(member);
        if (member.role() == dev.volary.protocol.Role.SPAWNER) {
            spawners.add(member);
        }
        // Until all spawners are there, a worker that saw only some of them would settle for too few.
        if (spawners.size() == job.getExpectedSpawners()) {
            Spawners.Builder all = Spawners.newBuilder();
            spawners.forEach(spawner -> all.addMembers(Shapes.write(spawner)));
            ParentToChild message = ParentToChild.newBuilder().setSpawners(all).build();
            workers.forEach(worker -> worker.send(message));
        }
    }

    private void answer(WorkerProcess worker) {
        worker.send(ParentToChild.newBuilder()
                .setArbiter(LocalCodec.write(arbiter.read()))
                .build());
    }

    private long daemonHeap(int daemons) {
        long bytes = checked.decomposition().parts().stream()
                .mapToLong(
                        part -> part.bytes() + 3L * Double.BYTES * part.core().size())
                .sum();
        return 2 * bytes / daemons + inputBytes();
    }

    private long spawnerHeap() {
        return 2L * Double.BYTES * checked.model().unknowns().size() + inputBytes();
    }

    /**
     * The store's own classes and buffers, and blocks: the copies kept for others, the newest value of an own block, and three
     * on their way, as a value, in a message and in a buffer. Of a few workers each keeps as much as any.
     */
    private long copiesHeap() {
        int copies = job.getCopies();
        long block = 2L * Double.BYTES * checked.model().unknowns().size() / job.getExpectedDaemons();
        return copies == 0 ? 0 : STORE_BYTES + (2L * copies + 4) * block;
    }

    /** Every worker reads the problem's files; parsed, a text matrix takes more than its size, a compressed one far more. */
    private long inputBytes() {
        Map<String, Object> given = checked.manifest().job().spec().problem().parameters();
        long bytes = 0;
        for (Parameter<?> parameter : checked.problem().parameters()) {
            if (parameter.kind() == Parameter.Kind.FILE && given.get(parameter.name()) instanceof String reference) {
                try {
                    Path file = checked.inputs().resolve(reference);
                    bytes += file.toFile().length() * (reference.endsWith(".gz") ? 40 : 4);
                } catch (InvalidProblem goneSinceTheCheck) {
                    // The workers will say so.
                }
            }
        }
        return bytes;
    }

    /** The process of each worker, by its name. */
    Map<String, Long> pids() {
        Map<String, Long> pids = new HashMap<>();
        workers.forEach(worker -> pids.put(worker.name(), worker.pid()));
        return pids;
    }

    /** Ends all workers and returns when they are gone. */
    @Override
    public void close() {
        ParentToChild stop = ParentToChild.newBuilder()
                .setStop(StopWorker.newBuilder().setReason("the job is over"))
                .build();
        workers.forEach(worker -> worker.stop(stop));
        workers.forEach(worker -> worker.end(jvm.train().isPresent() ? TRAINING_GRACE_MILLIS : END_GRACE_MILLIS));
        takeLastWords();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyShuttingDown) {
            // Then the hook does what is left to do.
        }
    }

    private void takeLastWords() {
        for (Heard last = heard.poll(); last != null; last = heard.poll()) {
            if (last instanceof Heard.Said said && said.message().hasLinks()) {
                observer.links(said.message().getLinks());
            }
        }
    }

    private void killAll() {
        synchronized (workers) {
            workers.forEach(WorkerProcess::kill);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.cli.chaos.ChaosMonkey;
import dev.volary.cli.chaos.ChaosMonkey.Act;
import dev.volary.cli.chaos.ChaosPlan.Fault;
import dev.volary.cli.check.ValidatedJob;
import dev.volary.mesh.arbiter.MemoryArbiter;
import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.v1.ChildToParent;
import dev.volary.mesh.v1.CompareAndSet;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.Spawners;
import dev.volary.mesh.v1.StopWorker;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the worker processes of one job: starts them, sends each its identity and job description, serves as arbiter and
 * discovery, and waits for the outcome that the leader reports. It makes no decision about the job, but ends it if a worker
 * fails to start several times in a row.
 */
public final class LocalJob implements AutoCloseable {
    private static final long TICK_MILLIS = 100;
    private static final long END_GRACE_MILLIS = 2_000;
    /** Often enough to know what a worker had taken when it was killed, seldom enough to cost nothing. */
    private static final long CORE_TIME_NANOS = 200_000_000;

    private static final ParentToChild STOP = ParentToChild.newBuilder()
            .setStop(StopWorker.newBuilder().setReason("the job is over"))
            .build();

    private sealed interface Input {
        record Received(WorkerProcess worker, ChildToParent message) implements Input {}

        record Exited(WorkerProcess worker, int status) implements Input {}
    }

    private final JobDescription job;
    private final RunObserver observer;
    private final WorkerPool workers;
    private final Optional<ChaosMonkey> chaos;
    private final MemoryArbiter arbiter = new MemoryArbiter();
    private final LinkedBlockingQueue<Input> inputs = new LinkedBlockingQueue<>();
    private final Map<String, Member> spawners = new LinkedHashMap<>();
    private final Map<WorkerId, String> names = new HashMap<>();
    private final Thread hook;
    private boolean isFormed;
    private boolean isIterating;
    private long coreTimeAt;

    public LocalJob(
            ValidatedJob checked, JobDescription job, RunSettings settings, WorkerJvm jvm, RunObserver observer) {
        this.job = job;
        this.observer = observer;
        this.workers = new WorkerPool(
                checked,
                job,
                settings,
                jvm,
                (who, message) -> inputs.add(new Input.Received(who, message)),
                (who, status) -> inputs.add(new Input.Exited(who, status)));
        this.chaos = settings.chaos().map(plan -> new ChaosMonkey(plan, settings.seed()));
        this.hook = new Thread(workers::kill, "end-workers");
    }

    /**
     * Runs the job to its end.
     *
     * @throws IOException if a process cannot be started
     * @throws GeneralSecurityException if this JDK cannot create the certificates
     */
    public JobOutcome run() throws IOException, GeneralSecurityException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(hook);
        workers.start();
        while (true) {
            Input next = inputs.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
            JobOutcome outcome =
                    switch (next) {
                        case null -> null;
                        case Input.Received(WorkerProcess worker, ChildToParent message) -> received(worker, message);
                        case Input.Exited(WorkerProcess worker, int status) -> exited(worker, status);
                    };
            if (outcome == null) {
                workers.startDue(System.nanoTime());
                injectFaults();
            }
            sampleCoreTime();
            observer.tick();
            if (outcome != null) {
                return outcome;
            }
        }
    }

    private void sampleCoreTime() {
        long now = System.nanoTime();
        if (isIterating && now - coreTimeAt >= CORE_TIME_NANOS) {
            coreTimeAt = now;
            observer.coreTime(workers.coreTime());
        }
    }

    private @Nullable JobOutcome received(WorkerProcess worker, ChildToParent message) {
        switch (message.getPayloadCase()) {
            case READY -> ready(worker, Shapes.read(message.getReady().getMember()));
            case READ_ARBITER -> answer(worker);
            case COMPARE_AND_SET -> {
                CompareAndSet request = message.getCompareAndSet();
                arbiter.compareAndSet(LocalCodec.read(request.getExpected()), LocalCodec.read(request.getNext()));
                answer(worker);
            }
            case EVENT -> {
                JobEvent event = LocalCodec.read(message.getEvent());
                if (event instanceof JobEvent.AllIterating) {
                    isIterating = true;
                    workers.allowStandbys();
                    chaos.ifPresent(p -> p.start(System.nanoTime()));
                }
                observer.event(event, names);
            }
            case FINISHED -> {
                return LocalCodec.read(message.getFinished());
            }
            case FAILURE -> {
                return unable(worker, message.getFailure());
            }
            case LINKS, RECORDED -> ending(message);
            case PAYLOAD_NOT_SET -> {}
        }
        return null;
    }

    private void ready(WorkerProcess worker, Member member) {
        Optional<WorkerSlot> slot = workers.slotOf(worker);
        if (slot.isEmpty()) {
            return;
        }
        slot.get().ready();
        names.put(member.id(), member.name());
        observer.ready(member);
        if (slot.get().isStandby() || slot.get().predecessor().isPresent()) {
            observer.processEvent(new ProcessEvent.Joined(
                    member.name(), slot.get().zone(), slot.get().predecessor()));
        }
        if (member.role() == WorkerRole.SPAWNER) {
            spawners.put(member.name(), member);
        }
        // a worker that sees only some of the spawners would form too few groups, so discovery waits for all of them
        isFormed = isFormed || spawners.size() == job.getExpectedSpawners();
        if (isFormed) {
            ParentToChild message = discovery();
            if (member.role() == WorkerRole.SPAWNER) {
                workers.sendAll(message);
            } else {
                worker.send(message);
            }
        }
    }

    private ParentToChild discovery() {
        Spawners.Builder all = Spawners.newBuilder();
        spawners.values().forEach(spawner -> all.addMembers(Shapes.write(spawner)));
        return ParentToChild.newBuilder().setSpawners(all).build();
    }

    private void answer(WorkerProcess worker) {
        worker.send(ParentToChild.newBuilder()
                .setArbiter(LocalCodec.write(arbiter.read()))
                .build());
    }

    /**
     * A worker reports that it cannot continue. Before all blocks iterate, the next process would fail in the same way, so the
     * job fails and the user has to correct the reason. Later the other workers continue, and another process replaces this
     * one.
     */
    private @Nullable JobOutcome unable(WorkerProcess worker, String reason) {
        if (!isIterating) {
            return new JobOutcome.Failed(reason);
        }
        workers.slotOf(worker).ifPresent(slot -> {
            slot.unable(reason);
            observer.processEvent(new ProcessEvent.Unable(worker.name(), reason));
            worker.kill();
        });
        return null;
    }

    private @Nullable JobOutcome exited(WorkerProcess worker, int status) {
        Optional<WorkerSlot> found = workers.slotOf(worker);
        if (found.isEmpty()) {
            return null;
        }
        WorkerSlot slot = found.get();
        boolean isProvoked = slot.hasFault();
        Optional<String> reason = slot.reason();
        workers.ended(worker, slot);
        observer.processEvent(new ProcessEvent.Ended(worker.name(), worker.pid(), status, isProvoked, worker.log()));
        if (slot.restartPolicy().isHopeless()) {
            return new JobOutcome.Failed(reason.orElseGet(() ->
                    "%s (pid %d) ended with status %d before it was ready, as did the %d processes before it; see its log %s"
                            .formatted(
                                    worker.name(),
                                    worker.pid(),
                                    status,
                                    RestartPolicy.MAX_FAILED_STARTS - 1,
                                    worker.log())));
        }
        // daemons continue without a spawner until a new one adopts them
        spawners.remove(worker.name());
        return null;
    }

    private void injectFaults() throws IOException {
        if (chaos.isEmpty()) {
            return;
        }
        List<ChaosMonkey.Target> up = workers.ready().stream()
                .map(slot -> new ChaosMonkey.Target(
                        slot.process().orElseThrow().name(), slot.role() == WorkerRole.SPAWNER, slot.zone()))
                .toList();
        for (Act act : chaos.get().due(System.nanoTime(), up)) {
            Optional<WorkerSlot> slot = workers.slotOf(act.worker());
            if (slot.isPresent()) {
                perform(act, slot.get(), slot.get().process().orElseThrow());
            }
        }
    }

    private void perform(Act act, WorkerSlot slot, WorkerProcess worker) throws IOException {
        switch (act) {
            case Act.Inject(String name, Fault fault) -> {
                slot.faultInjected(fault == Fault.PAUSE);
                observer.processEvent(new ProcessEvent.FaultInjected(name, worker.pid(), fault));
                switch (fault) {
                    case KILL -> worker.kill();
                    case PAUSE -> worker.pause();
                    case LEAVE -> worker.terminate();
                }
            }
            case Act.Continue(String name) -> {
                slot.continued();
                worker.resume();
                observer.processEvent(new ProcessEvent.Continued(name));
            }
        }
    }

    /** The process id of each worker, by name. */
    public Map<String, Long> pids() {
        return workers.pids();
    }

    /** Asks all workers to end, without waiting. */
    public void stop() {
        workers.stop(STOP);
    }

    /** Ends all workers and waits until their processes have ended. */
    @Override
    public void close() {
        workers.end(STOP, END_GRACE_MILLIS);
        drainInputs();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyShuttingDown) {
            // the hook ends the workers
        }
    }

    /** What a daemon says that ends. */
    private void ending(ChildToParent message) {
        if (message.hasLinks()) {
            observer.links(message.getLinks());
        } else if (message.hasRecorded()) {
            observer.recorded(LocalCodec.read(message.getRecorded()));
        }
    }

    private void drainInputs() {
        for (Input last = inputs.poll(); last != null; last = inputs.poll()) {
            if (last instanceof Input.Received received) {
                ending(received.message());
            }
        }
    }
}

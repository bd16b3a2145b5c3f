// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.chaos.ChaosMonkey;
import dev.volary.cli.chaos.ChaosMonkey.Act;
import dev.volary.cli.chaos.ChaosPlan.Kind;
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
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.JobOutcome;
import dev.volary.protocol.Member;
import dev.volary.protocol.WorkerId;
import dev.volary.protocol.WorkerRole;
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
 * One local run: starts the workers, gives each its identity and job over stdin, is their arbiter and their discovery, and
 * waits for the lead's verdict. Spawners lead; this process decides nothing about the job. It ends the job by itself only where
 * no process can be started in a place.
 */
final class LocalJob implements AutoCloseable {
    private static final long TICK_MILLIS = 100;
    private static final long END_GRACE_MILLIS = 2_000;

    private static final ParentToChild STOP = ParentToChild.newBuilder()
            .setStop(StopWorker.newBuilder().setReason("the job is over"))
            .build();

    private sealed interface Heard {
        record Said(WorkerProcess worker, ChildToParent message) implements Heard {}

        record Exited(WorkerProcess worker, int status) implements Heard {}
    }

    private final JobDescription job;
    private final RunObserver observer;
    private final WorkerPool crew;
    private final Optional<ChaosMonkey> perturbator;
    private final MemoryArbiter arbiter = new MemoryArbiter();
    private final LinkedBlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final Map<String, Member> spawners = new LinkedHashMap<>();
    private final Map<WorkerId, String> names = new HashMap<>();
    private final Thread hook;
    private boolean isFormed;
    private boolean isIterating;

    LocalJob(ValidatedJob checked, JobDescription job, RunSettings settings, WorkerJvm jvm, RunObserver observer) {
        this.job = job;
        this.observer = observer;
        this.crew = new WorkerPool(
                checked,
                job,
                settings,
                jvm,
                (who, message) -> heard.add(new Heard.Said(who, message)),
                (who, status) -> heard.add(new Heard.Exited(who, status)));
        this.perturbator = settings.chaos().map(plan -> new ChaosMonkey(plan, settings.seed()));
        this.hook = new Thread(crew::kill, "end-workers");
    }

    /**
     * Runs the job to its end.
     *
     * @throws IOException if a process cannot be started
     * @throws GeneralSecurityException if this JDK cannot make the certificates
     */
    JobOutcome run() throws IOException, GeneralSecurityException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(hook);
        crew.start();
        while (true) {
            Heard next = heard.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
            JobOutcome outcome =
                    switch (next) {
                        case null -> null;
                        case Heard.Said(WorkerProcess worker, ChildToParent message) -> said(worker, message);
                        case Heard.Exited(WorkerProcess worker, int status) -> exited(worker, status);
                    };
            if (outcome == null) {
                crew.fill(System.nanoTime());
                perturb();
            }
            observer.tick();
            if (outcome != null) {
                return outcome;
            }
        }
    }

    private @Nullable JobOutcome said(WorkerProcess worker, ChildToParent message) {
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
                    crew.admitStandbys();
                    perturbator.ifPresent(p -> p.start(System.nanoTime()));
                }
                observer.event(event, names);
            }
            case FINISHED -> {
                return LocalCodec.read(message.getFinished());
            }
            case FAILURE -> {
                return unable(worker, message.getFailure());
            }
            case LINKS -> observer.links(message.getLinks());
            case PAYLOAD_NOT_SET -> {}
        }
        return null;
    }

    private void ready(WorkerProcess worker, Member member) {
        Optional<WorkerSlot> place = crew.placeOf(worker);
        if (place.isEmpty()) {
            return;
        }
        place.get().up();
        names.put(member.id(), member.name());
        observer.ready(member);
        if (place.get().isStandby() || place.get().earlier().isPresent()) {
            observer.happened(new ProcessEvent.Joined(
                    member.name(), place.get().zone(), place.get().earlier()));
        }
        if (member.role() == WorkerRole.SPAWNER) {
            spawners.put(member.name(), member);
        }
        // Until all spawners are there, a worker that saw only some of them would settle for too few.
        isFormed = isFormed || spawners.size() == job.getExpectedSpawners();
        if (isFormed) {
            ParentToChild message = discovery();
            if (member.role() == WorkerRole.SPAWNER) {
                crew.sendAll(message);
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
     * A worker says why it cannot go on. Before the job iterates that is the user's to put right, as the next process would say
     * the same; later the others go on, and another process takes its place.
     */
    private @Nullable JobOutcome unable(WorkerProcess worker, String reason) {
        if (!isIterating) {
            return new JobOutcome.Failed(reason);
        }
        crew.placeOf(worker).ifPresent(place -> {
            place.unable(reason);
            observer.happened(new ProcessEvent.Unable(worker.name(), reason));
            worker.kill();
        });
        return null;
    }

    private @Nullable JobOutcome exited(WorkerProcess worker, int status) {
        Optional<WorkerSlot> found = crew.placeOf(worker);
        if (found.isEmpty()) {
            return null;
        }
        WorkerSlot place = found.get();
        boolean isProvoked = place.isStruck();
        Optional<String> reason = place.reason();
        crew.ended(worker, place);
        observer.happened(new ProcessEvent.Ended(worker.name(), worker.pid(), status, isProvoked, worker.log()));
        if (place.rule().isHopeless()) {
            return new JobOutcome.Failed(reason.orElseGet(() ->
                    "%s (pid %d) ended with status %d before it was up, as %d processes before it did in its place; its log is %s"
                            .formatted(
                                    worker.name(), worker.pid(), status, RestartPolicy.MOST_FAILED - 1, worker.log())));
        }
        // With the last one gone daemons compute on, until the next ones take them in.
        spawners.remove(worker.name());
        return null;
    }

    private void perturb() throws IOException {
        if (perturbator.isEmpty()) {
            return;
        }
        List<ChaosMonkey.Target> up = crew.up().stream()
                .map(place -> new ChaosMonkey.Target(
                        place.process().orElseThrow().name(), place.role() == WorkerRole.SPAWNER, place.zone()))
                .toList();
        for (Act act : perturbator.get().due(System.nanoTime(), up)) {
            Optional<WorkerSlot> place = crew.placeOf(act.worker());
            if (place.isPresent()) {
                perform(act, place.get(), place.get().process().orElseThrow());
            }
        }
    }

    private void perform(Act act, WorkerSlot place, WorkerProcess worker) throws IOException {
        switch (act) {
            case Act.Strike(String name, Kind manner) -> {
                place.struck(manner == Kind.PAUSE);
                observer.happened(new ProcessEvent.Struck(name, worker.pid(), manner));
                switch (manner) {
                    case KILL -> worker.kill();
                    case PAUSE -> worker.pause();
                    case LEAVE -> worker.terminate();
                }
            }
            case Act.Resume(String name) -> {
                place.resumed();
                worker.resume();
                observer.happened(new ProcessEvent.Resumed(name));
            }
        }
    }

    /** The process of each worker, by its name. */
    Map<String, Long> pids() {
        return crew.pids();
    }

    /** Tells all workers to end, and does not wait for it. */
    void dismiss() {
        crew.stop(STOP);
    }

    /** Ends all workers and returns when they are gone. */
    @Override
    public void close() {
        crew.end(STOP, END_GRACE_MILLIS);
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
}

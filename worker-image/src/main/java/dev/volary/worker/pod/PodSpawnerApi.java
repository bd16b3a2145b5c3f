// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import com.google.protobuf.ByteString;
import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.PartPieces;
import dev.volary.mesh.spawnerapi.SpawnerApi;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.spawnerapi.WorkerClient;
import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.v1.CheckpointReply;
import dev.volary.mesh.v1.DeliveredPart;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchRequest;
import dev.volary.mesh.v1.HeldPart;
import dev.volary.mesh.v1.HintKind;
import dev.volary.mesh.v1.HintReply;
import dev.volary.mesh.v1.HintRequest;
import dev.volary.mesh.v1.HoldPartsReply;
import dev.volary.mesh.v1.HoldPartsRequest;
import dev.volary.mesh.v1.IntroduceReply;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.KeepResultReply;
import dev.volary.mesh.v1.KeepResultRequest;
import dev.volary.mesh.v1.KillReply;
import dev.volary.mesh.v1.KillRequest;
import dev.volary.mesh.v1.Outcome;
import dev.volary.mesh.v1.PendingResult;
import dev.volary.mesh.v1.ReadPartReply;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.StatusRequest;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerRole;
import dev.volary.protocol.spawner.SpawnerView;
import dev.volary.worker.Worker;
import dev.volary.worker.result.FilePartRepository;
import dev.volary.worker.result.ResultPublisher;
import dev.volary.worker.result.SpoolFull;
import dev.volary.worker.runtime.OtherSpawners;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A spawner's answers, out of its machine, its status view and its spool; and what it asks of other spawners. */
final class PodSpawnerApi implements SpawnerApi, OtherSpawners, AutoCloseable {
    /** How long the leader looks for a part that it lacks: the container of its holder may be starting again. */
    private static final Duration PART_SEARCH = Duration.ofSeconds(5);

    private final JobDescription job;
    private final JobStatusView statusView;
    private final ResultSpool spool;
    private final FilePartRepository parts;
    private final SpawnerDiscovery spawners;
    private final ResultCopies copies;
    private final ResultKeeping keeping;
    private final ApiChannels channels;
    private final IdentitySource identity;
    private final AtomicInteger fetching = new AtomicInteger();
    private final ExecutorService files = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("parts").factory());
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private volatile Optional<Worker> worker = Optional.empty();
    private volatile Optional<Member> resultKeeper = Optional.empty();

    /**
     * @param job as the job file describes it; what the opened problem knows comes with the worker
     * @param folder of the spool
     * @param spawners closed by its owner
     * @param channels closed by its owner
     * @param arbiter closed by its owner
     * @param log receives a line when the result has another copy, or none
     */
    PodSpawnerApi(
            JobDescription job,
            JobStatusView statusView,
            Path folder,
            SpawnerDiscovery spawners,
            ApiChannels channels,
            IdentitySource identity,
            AsyncArbiter arbiter,
            Consumer<String> log) {
        this.job = job;
        this.statusView = statusView;
        this.spool = new ResultSpool(folder);
        this.parts = new FilePartRepository(folder);
        this.spawners = spawners;
        this.copies = new ResultCopies(spool, channels, identity);
        this.keeping = new ResultKeeping(spool, job.getResultCopies(), spawners, copies, arbiter, log);
        this.channels = channels;
        this.identity = identity;
    }

    /** The machine runs: calls are answered by this worker from now on. */
    void attach(Worker newWorker) {
        worker = Optional.of(newWorker);
        if (newWorker.self().role() == WorkerRole.SPAWNER) {
            keeping.start(newWorker.self());
        }
    }

    /** There is no machine: only the status and the result of the ended job are served. */
    void serveResultOnly(Member self) {
        resultKeeper = Optional.of(self);
        keeping.start(self);
    }

    /** This process is about to end. */
    void leave() {
        keeping.leave();
    }

    /** Whether this process must not end yet: others fetch the result from it, or it alone holds one that a client awaits. */
    boolean mustStay() {
        return fetching.get() > 0 || keeping.isNeeded();
    }

    @Override
    public CompletableFuture<StatusReply> status(StatusRequest request) {
        if (resultKeeper.isPresent()) {
            return CompletableFuture.supplyAsync(
                    () -> unchecked(() -> statusView
                            .statusAfterEnd(resultKeeper.get(), job, request.getEventsSince())
                            .build()),
                    calls);
        }
        Worker serving = serving();
        if (request.getWantedDaemons() > 0) {
            serving.offer(new SpawnerEvent.ScaleRequested(request.getWantedDaemons()));
        }
        if (request.getActiveMillis() > 0) {
            serving.offer(new SpawnerEvent.ActiveFor(Duration.ofMillis(request.getActiveMillis())));
        }
        return serving.view()
                .thenApplyAsync(
                        view -> unchecked(
                                () -> statusView.status(serving.self(), serving.job(), view, request.getEventsSince())),
                        calls);
    }

    @Override
    public CompletableFuture<IntroduceReply> introduce() {
        if (resultKeeper.isPresent()) {
            return CompletableFuture.supplyAsync(
                    () -> introduction(resultKeeper.get()).build(), calls);
        }
        Worker serving = serving();
        return serving.view()
                .thenApplyAsync(
                        view -> {
                            IntroduceReply.Builder reply =
                                    introduction(serving.self()).setTerm(view.term());
                            view.leader().ifPresent(leader -> reply.setLeader(leader.value()));
                            view.spawners().forEach(spawner -> reply.addSpawners(Shapes.write(spawner)));
                            return reply.build();
                        },
                        calls);
    }

    private IntroduceReply.Builder introduction(Member self) {
        return unchecked(() -> IntroduceReply.newBuilder()
                .setSelf(Shapes.write(self))
                .setResultSid(spool.readySid())
                .setResultFetched(spool.isFetched())
                .setLeaving(keeping.isLeaving()));
    }

    @Override
    public CompletableFuture<HintReply> hint(HintRequest request) {
        Worker serving = serving();
        return serving.view().thenCompose(view -> {
            Optional<Member> there = known(view)
                    .filter(member -> member.name().equals(request.getPod()))
                    .findFirst();
            if (there.isPresent() && request.getKind() == HintKind.HINT_ENDED) {
                serving.offer(new WorkerEvent.PlatformHint(there.get().id()));
            } else if (there.isPresent() && request.getKind() == HintKind.HINT_LEAVING) {
                return CompletableFuture.supplyAsync(
                        () -> unchecked(() -> {
                            callWorker(there.get(), WorkerClient::leave);
                            return reply(true);
                        }),
                        calls);
            } else if (there.isPresent()) {
                throw new IllegalStateException("kind is " + request.getKind() + ", must be LEAVING or GONE");
            }
            return CompletableFuture.completedFuture(reply(there.isPresent()));
        });
    }

    private static HintReply reply(boolean known) {
        return HintReply.newBuilder().setKnown(known).build();
    }

    @Override
    public CompletableFuture<CheckpointReply> checkpoint() {
        Worker serving = serving();
        return serving.view().thenCompose(view -> {
            if (view.over()) {
                throw new IllegalStateException("the job is over");
            } else if (!view.leads()) {
                throw new IllegalStateException("this spawner does not lead"
                        + view.leader().map(leader -> "; ask " + leader).orElse(", and there is no leader at present"));
            }
            if (!job.getCheckpointFolder().isEmpty() || job.hasCheckpointStore()) {
                var kept = statusView.nextCheckpoint();
                serving.offer(new SpawnerEvent.SnapshotRequested());
                return kept.thenApply(checkpoint -> CheckpointReply.newBuilder()
                        .setSid(checkpoint.sid())
                        .setResidual(checkpoint.residual())
                        .setStep(checkpoint.step())
                        .setKept(true)
                        .build());
            }
            var closed = statusView.nextSnapshot();
            serving.offer(new SpawnerEvent.SnapshotRequested());
            return closed.thenApply(snapshot -> CheckpointReply.newBuilder()
                    .setSid(snapshot.sid())
                    .setResidual(snapshot.residual())
                    .build());
        });
    }

    @Override
    public void fetch(FetchRequest request, Consumer<FetchReply> out) throws IOException {
        fetching.incrementAndGet();
        try {
            spool.fetch(request, out);
        } finally {
            fetching.decrementAndGet();
        }
    }

    @Override
    public CompletableFuture<Void> acknowledge(String digest) {
        return CompletableFuture.runAsync(
                () -> unchecked(() -> {
                    spool.acknowledge(digest);
                    return true;
                }),
                calls);
    }

    @Override
    public void readPart(long sid, int block, Consumer<ReadPartReply> out) throws IOException {
        parts.send(
                sid,
                block,
                piece -> out.accept(ReadPartReply.newBuilder()
                        .setPiece(ByteString.copyFrom(piece))
                        .build()));
    }

    @Override
    public CompletableFuture<Void> forgetParts(long before) {
        return CompletableFuture.runAsync(
                () -> unchecked(() -> {
                    parts.forget(before);
                    spool.forget(before);
                    return true;
                }),
                files);
    }

    @Override
    public void holdParts(HoldPartsRequest request, Consumer<HoldPartsReply> out) throws IOException {
        int held = 0;
        for (HeldPart part : request.getPartsList()) {
            try {
                parts.verify(request.getSid(), part.getBlock(), part.getCount(), part.getChecksum());
            } catch (IOException missing) {
                fetchPart(request.getSid(), part.getBlock(), part.getCount(), part.getChecksum());
            }
            held++;
            out.accept(HoldPartsReply.newBuilder().setHeld(held).build());
        }
    }

    @Override
    public void holdParts(Member self, Member by, HoldPartsRequest wanted) throws IOException {
        if (by.equals(self)) {
            holdParts(wanted, reply -> {});
            return;
        }
        // A connection of its own: those of the discovery are closed when a name is not resolved for a moment.
        try (SpawnerClient client = channels.spawner(by.address(), identity)) {
            client.holdParts(wanted);
        }
    }

    @Override
    public void keepResult(KeepResultRequest request, Consumer<KeepResultReply> out) throws IOException {
        copies.keep(request, out);
    }

    @Override
    public void fetchPart(long sid, int block, int count, int checksum) throws IOException {
        new RemotePartRepository(spawners, job.getResultCopies(), PART_SEARCH).copy(sid, block, count, checksum, parts);
    }

    @Override
    public boolean hasResult(long sid) {
        return spool.hasResult(sid);
    }

    @Override
    public void copyResult(Member self, Member to, PendingResult result) throws IOException {
        copies.copy(self.address(), to, result, false);
    }

    @Override
    public void deletePartsElsewhere(long before) {
        calls.execute(() -> {
            try {
                for (Member spawner : spawners.discover().answering()) {
                    try {
                        spawners.client(spawner.address()).forgetParts(before);
                    } catch (IOException e) {
                        System.err.println(
                                spawner.name() + " keeps parts before snapshot " + before + ": " + e.getMessage());
                    }
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Override
    public void jobEnded(Optional<String> failure) {
        try {
            spool.jobEnded(failure.isPresent());
            if (spool.isReady()) {
                parts.clear();
            }
        } catch (IOException e) {
            System.err.println("a copy of the result stays pending: " + e);
        }
        try {
            findPublished();
        } catch (IOException e) {
            System.err.println("it is not known here whether the result was published: " + e.getMessage());
        }
    }

    /** The leader may have ended before it said where it has brought the result. */
    private void findPublished() throws IOException {
        Optional<ResultPublisher> publisher = ResultPublisher.of(job);
        Optional<Outcome> outcome = spool.outcome();
        if (publisher.isPresent() && outcome.isPresent() && spool.published().isEmpty()) {
            Optional<String> location = publisher.get().find(ResultSpool.sid(outcome.get()));
            if (location.isPresent()) {
                spool.recordPublished(location.get());
            }
        }
    }

    @Override
    public CompletableFuture<KillReply> kill(KillRequest request, CompletableFuture<Void> answered) {
        if (!job.getChaosAllowed()) {
            throw new IllegalStateException("this job allows no chaos; set spec.chaos.allowed: true");
        }
        Worker serving = serving();
        return serving.view()
                .thenApplyAsync(
                        view -> {
                            List<String> wanted = new ArrayList<>(request.getPodsList());
                            KillReply.Builder reply = KillReply.newBuilder();
                            others(view)
                                    .filter(member -> wanted.contains(member.name()))
                                    .forEach(member -> {
                                        if (killed(member)) {
                                            wanted.remove(member.name());
                                            reply.addKilled(member.name());
                                        }
                                    });
                            String self = serving.self().name();
                            if (wanted.remove(self)) {
                                reply.addKilled(self);
                                var _ = answered.thenRun(PodMain::halt);
                            }
                            return reply.addAllUnknown(wanted).build();
                        },
                        calls);
    }

    private boolean killed(Member member) {
        try {
            callWorker(member, WorkerClient::halt);
            return true;
        } catch (IOException e) {
            System.err.println(member.name() + " was not killed: " + e.getMessage());
            return false;
        }
    }

    @Override
    public int deliver(DeliveredPart part, PartPieces pieces) throws IOException {
        SpawnerView view = serving().view().join();
        if (view.over()) {
            throw new IllegalStateException("the job is over");
        } else if (!view.leads() && !part.getSecondCopy()) {
            throw new IllegalStateException("this spawner does not lead the job");
        }
        try {
            return parts.receive(part.getSid(), part.getBlock(), part.getCount(), pieces::next);
        } catch (IOException e) {
            throw SpoolFull.explain(e);
        }
    }

    private interface WorkerCall {
        void run(WorkerClient client) throws IOException;
    }

    private void callWorker(Member member, WorkerCall call) throws IOException {
        try (WorkerClient client = channels.worker(member.address(), identity)) {
            call.run(client);
        }
    }

    /** Those of its group, other spawners, itself. */
    private Stream<Member> known(SpawnerView view) {
        return Stream.concat(others(view), worker.stream().map(Worker::self));
    }

    private static Stream<Member> others(SpawnerView view) {
        return Stream.concat(view.daemons().stream(), view.spawners().stream());
    }

    private Worker serving() {
        return worker.orElseThrow(() -> new IllegalStateException(
                resultKeeper.isPresent() ? "the job is over" : "this spawner is starting; try again"));
    }

    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T unchecked(Reading<T> reading) {
        try {
            return reading.read();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public void close() {
        keeping.close();
        files.shutdownNow();
        calls.shutdownNow();
    }
}

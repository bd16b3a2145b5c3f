// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker;

import dev.volary.backup.StoreSettings;
import dev.volary.backup.infinispan.InfinispanBackupStore;
import dev.volary.backup.replica.HandoverTransport;
import dev.volary.backup.replica.HeldReplicas;
import dev.volary.backup.replica.ReplicaCodec;
import dev.volary.backup.replica.ReplicaTransport;
import dev.volary.backup.replica.ReplicatedBackupStore;
import dev.volary.mesh.Mesh;
import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.fault.NetworkFaults;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.spawnerapi.SpawnerGrpcService;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.tls.JobTrustManager;
import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.tls.TlsContexts;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.Ready;
import dev.volary.mesh.v1.Start;
import dev.volary.protocol.machine.Action;
import dev.volary.protocol.machine.DaemonAction;
import dev.volary.protocol.machine.DaemonEvent;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerAction;
import dev.volary.protocol.machine.SpawnerEvent;
import dev.volary.protocol.machine.Turn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.machine.WorkerEvent;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.model.WorkerRole;
import dev.volary.protocol.spawner.SpawnerView;
import dev.volary.solver.InvalidProblemException;
import dev.volary.storage.StorageRefusedException;
import dev.volary.worker.checkpoint.JobCheckpoints;
import dev.volary.worker.daemon.DaemonEventAdapter;
import dev.volary.worker.daemon.DaemonRuntime;
import dev.volary.worker.daemon.LazyBlockBackups;
import dev.volary.worker.daemon.MeshReplicaTransport;
import dev.volary.worker.result.ResultPublisher;
import dev.volary.worker.runtime.HostChannel;
import dev.volary.worker.runtime.IdleCores;
import dev.volary.worker.runtime.MachineRunner;
import dev.volary.worker.runtime.MeshEventAdapter;
import dev.volary.worker.runtime.OpenedProblem;
import dev.volary.worker.runtime.RoleRuntime;
import dev.volary.worker.runtime.SpawnerEventAdapter;
import dev.volary.worker.runtime.StageTracer;
import dev.volary.worker.storage.StoragePatience;
import dev.volary.worker.storage.StoredInputs;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** One worker: mesh, runner and the runtime of its role, put together. */
public final class Worker implements AutoCloseable {
    /**
     * Infinispan costs seconds of a processor to open: what ends sooner goes without, and where cores are busy the mesh carries
     * all requests.
     */
    private static final Duration HANDOVER = Duration.ofSeconds(20);

    /** Members open their stores at about the same time; one that has the whole list joins faster. */
    private static final Duration STORE_JOIN_DELAY = Duration.ofMillis(500);

    /** A block whose backup is not found by then starts again. A cold store joins in time; neighbors continue meanwhile. */
    private static final Duration RESTORE_TIMEOUT = Duration.ofSeconds(30);

    private final JobDescription job;
    private final HostChannel parent;
    private final Mesh mesh;
    private final MeshEventAdapter<?> events;
    private final MachineRunner<?, ?> runner;
    private final RoleRuntime<?, ?> role;
    private final LazyBlockBackups store;
    private final Optional<JobCheckpoints> volume;

    private Worker(
            JobDescription job,
            HostChannel parent,
            Mesh mesh,
            MeshEventAdapter<?> events,
            MachineRunner<?, ?> runner,
            RoleRuntime<?, ?> role,
            LazyBlockBackups store,
            Optional<JobCheckpoints> volume) {
        this.job = job;
        this.parent = parent;
        this.mesh = mesh;
        this.events = events;
        this.runner = runner;
        this.role = role;
        this.store = store;
        this.volume = volume;
    }

    /**
     * Starts a worker: when it returns, the parent knows where it listens.
     *
     * @param onEvicted called, on the loop of the control messages, when this worker was evicted from the job, or has left it
     * @throws IOException if it cannot listen
     * @throws GeneralSecurityException if the identity cannot be read
     * @throws InvalidProblemException if the problem cannot be opened here
     */
    public static Worker start(Start start, HostChannel parent, Runnable onEvicted)
            throws IOException, GeneralSecurityException, InvalidProblemException {
        return start(start, Identity.of(start.getIdentity()), parent, onEvicted);
    }

    /** As {@link #start(Start, HostChannel, Runnable)}, with an identity that may be reissued instead of that of the message. */
    public static Worker start(Start start, IdentitySource identity, HostChannel parent, Runnable onEvicted)
            throws IOException, GeneralSecurityException, InvalidProblemException {
        return switch (Shapes.read(start.getRole())) {
            case DAEMON -> {
                DaemonEventAdapter events = new DaemonEventAdapter(parent);
                yield start(start, identity, parent, events, (job, problem, mesh, store, volume) -> {
                    DaemonRuntime role =
                            new DaemonRuntime(job, problem, mesh, parent, events, store, volume, onEvicted);
                    events.connect(role);
                    return role;
                });
            }
            case SPAWNER -> {
                SpawnerEventAdapter events = new SpawnerEventAdapter(parent);
                yield start(
                        start,
                        identity,
                        parent,
                        events,
                        (job, problem, mesh, store, volume) ->
                                new SpawnerRuntime(job, problem, parent, events, volume, onEvicted));
            }
        };
    }

    /** Makes the runtime of a role, once the problem is open and the mesh listens. */
    private interface RoleFactory<E, T extends Turn> {
        RoleRuntime<E, T> create(
                JobDescription job,
                OpenedProblem problem,
                Mesh mesh,
                LazyBlockBackups store,
                Optional<JobCheckpoints> volume);
    }

    private static <E, T extends Turn> Worker start(
            Start start,
            IdentitySource identity,
            HostChannel parent,
            MeshEventAdapter<E> events,
            RoleFactory<E, T> factory)
            throws IOException, GeneralSecurityException, InvalidProblemException {
        SpiffeId id = identity.current().id();
        HeldReplicas held = new HeldReplicas(new ConcurrentHashMap<>());
        Mesh mesh = Mesh.start(
                meshConfig(start),
                identity,
                events,
                parent.services(id),
                List.of(SpawnerGrpcService.replicas(id, request -> ReplicaCodec.answer(request, held))));
        LazyBlockBackups store = new LazyBlockBackups(
                () -> openStore(start, identity, events, mesh, held),
                holder -> events.offer(events.toEvent(new WorkerEvent.BackupStoreOpened(holder))));
        try {
            Member self = mesh.self();
            parent.ready(Ready.newBuilder().setMember(Shapes.write(self)).build());
            JobDescription described = StoragePatience.wait(() -> StoredInputs.fetch(start.getJob()));
            OpenedProblem problem = OpenedProblem.open(described);
            JobDescription job = problem.completed(described);
            if (self.role() == WorkerRole.SPAWNER && job.getCheckProblem()) {
                problem.check(job, heapBytes());
                checkStorage(job);
            }
            Optional<JobCheckpoints> volume = openCheckpoints(job, problem, self.role());
            RoleRuntime<E, T> role = factory.create(job, problem, mesh, store, volume);
            Consumer<WorkerAction> shared = action -> carryOut(action, mesh, parent, store, role);
            MachineRunner<E, T> runner = new MachineRunner<>(
                    role.createMachine(withMemory(self, job, problem), problem.jobGraph()),
                    role::newTurn,
                    events.toEvent(new WorkerEvent.Tick()),
                    mesh.controlLoop(),
                    turn -> {
                        if (StageTracer.isOn()) {
                            turn.actions().forEach(Worker::mark);
                        }
                        role.carryOut(turn, shared);
                    },
                    broken -> {
                        broken.printStackTrace();
                        parent.failure(self.name() + " failed: " + broken + "; this is a defect, see its log");
                    });
            events.connect(runner);
            runner.start();
            StageTracer.control(mesh);
            return new Worker(job, parent, mesh, events, runner, role, store, volume);
        } catch (InvalidProblemException | IOException | RuntimeException e) {
            mesh.close();
            throw e;
        }
    }

    /** On a cluster, a daemon computes from the job how much of its heap blocks may fill; a local job has decided that already. */
    private static Member withMemory(Member self, JobDescription job, OpenedProblem problem) {
        if (self.role() == WorkerRole.SPAWNER || !job.getCheckProblem()) {
            return self;
        }
        return self.withMemory(Math.max(0, problem.daemonHeap(job).blockBytes(heapBytes())));
    }

    /** Whether the result can be stored where the job names storage for it. Storage that cannot be reached now may be there later. */
    private static void checkStorage(JobDescription job) throws InvalidProblemException {
        try {
            Optional<ResultPublisher> publisher = ResultPublisher.of(job);
            if (publisher.isPresent()) {
                publisher.get().check();
            }
        } catch (StorageRefusedException e) {
            throw new InvalidProblemException(
                    "spec.result", "names storage that refuses results: " + e.getMessage(), "then apply the job again");
        } catch (IOException e) {
            System.err.println("the storage for the result cannot be used now: " + e.getMessage());
        }
    }

    private static void checkWritable(JobCheckpoints checkpoints) throws IOException {
        try {
            checkpoints.checkWritable();
        } catch (IOException e) {
            checkpoints.close();
            throw e;
        }
    }

    private static Optional<JobCheckpoints> openCheckpoints(JobDescription job, OpenedProblem problem, WorkerRole role)
            throws IOException, InvalidProblemException {
        try {
            StoragePatience.Use<Optional<JobCheckpoints>> opening = () -> {
                Optional<JobCheckpoints> checkpoints =
                        JobCheckpoints.open(job, problem.decomposition(), problem.steps());
                if (role == WorkerRole.SPAWNER && checkpoints.isPresent()) {
                    checkWritable(checkpoints.get());
                }
                return checkpoints;
            };
            return job.hasCheckpointStore() ? StoragePatience.wait(opening) : opening.run();
        } catch (StorageRefusedException e) {
            throw new InvalidProblemException(
                    "spec.checkpoint.objectStore",
                    "names storage that refuses checkpoints: " + e.getMessage(),
                    "then apply the job again");
        }
    }

    /** What the JVM calls its maximum lacks one survivor space, with the serial collector a thirtieth of the heap. */
    static long heapBytes() {
        return Runtime.getRuntime().maxMemory() / 29 * 30;
    }

    /**
     * Starts only the services of a worker whose job is over, without a machine.
     *
     * @param listener receives messages of workers that do not know yet that the job is over
     */
    public static Mesh serveAfterEnd(Start start, IdentitySource identity, HostChannel parent, MeshListener listener)
            throws IOException {
        return Mesh.start(
                meshConfig(start),
                identity,
                listener,
                parent.services(identity.current().id()),
                List.of());
    }

    private static MeshConfig meshConfig(Start start) {
        JobDescription job = start.getJob();
        return MeshConfig.builder(
                        new WorkerId(start.getNodeId()),
                        Shapes.read(start.getRole()),
                        start.getHost(),
                        job.getProblemHash())
                .machine(start.getZone(), start.getCores(), start.getMemoryBytes())
                .on(machine(start))
                .ports(start.getPort(), start.getBulkPort())
                .allInterfaces(start.getAllInterfaces())
                .bulkShare(job.getBulkShare())
                .faults(NetworkFaults.parse(job.getFaults()), job.getSeed())
                .build();
    }

    private static String machine(Start start) {
        return start.getMachine().isEmpty() ? start.getHost() : start.getMachine();
    }

    /** Opens this worker's store: over the mesh at once, and over Infinispan, on a free port, once cores are idle. */
    private static LazyBlockBackups.OpenedStore openStore(
            Start start, IdentitySource identity, MeshEventAdapter<?> events, Mesh mesh, HeldReplicas held)
            throws IOException, GeneralSecurityException {
        JobDescription job = start.getJob();
        BackupHolder self = new BackupHolder(
                new WorkerId(start.getNodeId()),
                machine(start),
                start.getZone(),
                new Address(
                        start.getHost(),
                        start.getStorePort() > 0
                                ? start.getStorePort()
                                : InfinispanBackupStore.freePort(start.getHost())),
                Optional.of(mesh.bulkAddress()));
        // One name for all groups of the job: when a spawner is lost, those of its daemons that go on bring their
        // copies along.
        ReplicaTransport infinispan = InfinispanBackupStore.transport(
                job.getNamespace() + "/" + job.getName() + "/" + job.getUid(),
                self,
                held,
                TlsContexts.context(identity, new JobTrustManager(identity.current(), events::refused)),
                STORE_JOIN_DELAY);
        return new LazyBlockBackups.OpenedStore(
                self,
                new ReplicatedBackupStore(
                        self,
                        StoreSettings.of(job.getCopies()).waiting(RESTORE_TIMEOUT),
                        new HandoverTransport(
                                new MeshReplicaTransport(self.id(), held, mesh::replicas),
                                infinispan,
                                HANDOVER,
                                new IdleCores())));
    }

    /** Carries out the actions that machines of both roles request. */
    private static void carryOut(
            WorkerAction action, Mesh mesh, HostChannel parent, LazyBlockBackups store, RoleRuntime<?, ?> role) {
        switch (action) {
            case WorkerAction.Send(WorkerId to, Message message) -> mesh.send(to, message);
            case WorkerAction.AddPeer(Member member) -> mesh.addPeer(member);
            case WorkerAction.ForgetPeer(WorkerId peer) -> mesh.forget(peer);
            case WorkerAction.OpenBackupStore() -> store.openInTime();
            case WorkerAction.UpdateHolders(var holders) -> {
                store.holders(holders);
                parent.holders(holders);
            }
            case WorkerAction.Restart() -> role.restart();
        }
    }

    private static void mark(Action action) {
        if (action instanceof SpawnerAction.EmitEvent(JobEvent.DaemonLost lost)) {
            StageTracer.mark("verdict", lost.daemon(), lost.blocks());
        } else if (action instanceof SpawnerAction.EmitEvent(JobEvent.BlocksReassigned given)) {
            StageTracer.mark("reassigned", given.daemon(), given.blocks());
        } else if (action instanceof DaemonAction.RestoreBlock restore) {
            StageTracer.mark("assigned", restore.block());
        } else if (action instanceof DaemonAction.StartBlock start) {
            StageTracer.mark("started", start.block());
        } else if (action instanceof WorkerAction.OpenBackupStore) {
            StageTracer.mark("opens", "store");
        } else if (action instanceof WorkerAction.UpdateHolders(var holders)) {
            StageTracer.mark("holders", holders.size());
        }
    }

    /** Takes a message from the parent. */
    public void received(ParentToChild message) {
        switch (message.getPayloadCase()) {
            case SPAWNERS ->
                offer(new WorkerEvent.SpawnersFound(message.getSpawners().getMembersList().stream()
                        .map(Shapes::read)
                        .toList()));
            case ARBITER -> offer(new SpawnerEvent.ArbiterAnswered(LocalCodec.read(message.getArbiter())));
            case START, STOP, PAYLOAD_NOT_SET ->
                parent.failure("unexpected message " + message.getPayloadCase() + "; use matching versions");
        }
    }

    /** Hands an event to the machine; from any thread. */
    public void offer(WorkerEvent event) {
        offer(events, event);
    }

    private static <E> void offer(MeshEventAdapter<E> events, WorkerEvent event) {
        events.offer(events.toEvent(event));
    }

    /** Hands an event to a spawner's machine; from any thread. A daemon takes no part in what it is about. */
    public void offer(SpawnerEvent event) {
        if (events instanceof SpawnerEventAdapter spawner) {
            spawner.offer(event);
        }
    }

    /** What this spawner knows of the job. */
    public CompletableFuture<SpawnerView> view() {
        return runner.ask(role::view);
    }

    public Member self() {
        return mesh.self();
    }

    /** The description, with what only the opened problem knows. */
    public JobDescription job() {
        return job;
    }

    /** Whether this process can serve as another worker once this one is closed: a store does not give its port back. */
    public boolean isProcessReusable() {
        return store.neverOpened();
    }

    /** Requests that this worker leave: it hands over its blocks and then exits. */
    public void leave() {
        if (events instanceof DaemonEventAdapter daemon) { // a spawner has nothing to hand over
            daemon.offer(new DaemonEvent.ShutdownRequested());
        }
    }

    /** Stops the machine and the computation, and sends the parent the last reports; connections stay. */
    public void stop() {
        runner.close();
        role.close();
    }

    @Override
    public void close() {
        stop();
        store.close();
        volume.ifPresent(JobCheckpoints::close);
        mesh.close();
    }
}

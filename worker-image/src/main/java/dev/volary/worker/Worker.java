// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker;

import dev.volary.backup.StoreSettings;
import dev.volary.backup.infinispan.InfinispanBackupStore;
import dev.volary.mesh.Mesh;
import dev.volary.mesh.MeshConfig;
import dev.volary.mesh.MeshListener;
import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.fault.NetworkFaults;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.tls.JobTrustManager;
import dev.volary.mesh.tls.TlsContexts;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.Ready;
import dev.volary.mesh.v1.Start;
import dev.volary.protocol.Action;
import dev.volary.protocol.Address;
import dev.volary.protocol.BackupHolder;
import dev.volary.protocol.Event;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.WorkerId;
import dev.volary.protocol.WorkerRole;
import dev.volary.protocol.spawner.SpawnerView;
import dev.volary.solver.InvalidProblemException;
import dev.volary.worker.volume.JobCheckpoints;
import dev.volary.worker.volume.StoredCheckpoint;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One worker: mesh, agent and the runtime of its role, put together. */
final class Worker implements AutoCloseable {
    /** Members open their stores at about the same time; whoever has the whole list joins better. */
    private static final Duration GATHERING = Duration.ofMillis(500);

    /** A block that cannot have its backup by then begins anew. A cold store joins in time; neighbours go on meanwhile. */
    private static final Duration RESTORE_WAIT = Duration.ofSeconds(30);

    private final JobDescription job;
    private final HostChannel parent;
    private final Mesh mesh;
    private final MachineRunner agent;
    private final RoleRuntime role;
    private final LazyBlockBackups store;

    private Worker(
            JobDescription job,
            HostChannel parent,
            Mesh mesh,
            MachineRunner agent,
            RoleRuntime role,
            LazyBlockBackups store) {
        this.job = job;
        this.parent = parent;
        this.mesh = mesh;
        this.agent = agent;
        this.role = role;
        this.store = store;
    }

    /**
     * Starts a worker: when it returns, the parent knows where it listens.
     *
     * @param whenDismissed called, on the loop of the control messages, when this worker has no place in the job under its identity
     * @throws IOException if it cannot listen
     * @throws GeneralSecurityException if the identity cannot be read
     * @throws InvalidProblemException if the problem cannot be opened here
     */
    static Worker start(Start start, HostChannel parent, Runnable whenDismissed)
            throws IOException, GeneralSecurityException, InvalidProblemException {
        MeshEventAdapter inbox = new MeshEventAdapter(parent::heardFrom);
        Identity identity = Identity.of(start.getIdentity());
        Mesh mesh = Mesh.start(meshConfig(start), identity, inbox, parent.services(identity.id()));
        LazyBlockBackups store = new LazyBlockBackups(
                () -> openStore(start, identity, inbox), holder -> inbox.offer(new Event.BackupStoreOpened(holder)));
        try {
            Member self = mesh.self();
            parent.ready(Ready.newBuilder().setMember(Shapes.write(self)).build());
            OpenedProblem problem = OpenedProblem.open(start.getJob());
            JobDescription job = problem.completed(start.getJob());
            if (self.role() == WorkerRole.SPAWNER && job.getCheckProblem()) {
                problem.check(job, heapBytes());
            }
            Optional<JobCheckpoints> volume = JobCheckpoints.open(job, problem.decomposition(), problem.steps());
            RoleRuntime role = self.role() == WorkerRole.DAEMON
                    ? new DaemonRuntime(job, problem, mesh, parent, inbox, store, volume, whenDismissed)
                    : new SpawnerRuntime(job, problem, parent, inbox, volume, whenDismissed);
            MachineRunner agent = new MachineRunner(
                    role.machine(self, JobShapes.of(problem.decomposition(), problem.steps())),
                    mesh.controlLoop(),
                    action -> handle(action, mesh, parent, store, role),
                    broken -> {
                        broken.printStackTrace();
                        parent.failure(self.name() + " failed: " + broken + "; this is a defect, see its log");
                    });
            inbox.connect(agent, role);
            if (self.role() == WorkerRole.SPAWNER && volume.isPresent()) {
                look(volume.get()).ifPresent(inbox::offer);
            }
            agent.start();
            StageTracer.control(mesh);
            return new Worker(job, parent, mesh, agent, role, store);
        } catch (InvalidProblemException | IOException | RuntimeException e) {
            mesh.close();
            throw e;
        }
    }

    /** What the JVM calls its maximum lacks one survivor space, with the serial collector a thirtieth of the heap. */
    private static long heapBytes() {
        return Runtime.getRuntime().maxMemory() / 29 * 30;
    }

    /** What a spawner must know of the checkpoint that the job goes on from. */
    private static Optional<Event> look(JobCheckpoints volume) {
        try {
            return volume.start()
                    .map(StoredCheckpoint::record)
                    .filter(record -> record.step() > 0)
                    .<Event>map(Event.CheckpointFound::new);
        } catch (InvalidProblemException | IOException e) {
            return Optional.of(new Event.CheckpointRefused(String.valueOf(e.getMessage())));
        }
    }

    /**
     * Only the services of a worker whose job is over, without a machine.
     *
     * @param listener hears whoever does not know it yet
     */
    static Mesh keep(Start start, HostChannel parent, MeshListener listener)
            throws IOException, GeneralSecurityException {
        Identity identity = Identity.of(start.getIdentity());
        return Mesh.start(meshConfig(start), identity, listener, parent.services(identity.id()));
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

    /** Opens this worker's store on a free port, beside the mesh's. */
    private static LazyBlockBackups.Opened openStore(Start start, Identity identity, MeshEventAdapter inbox)
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
                                : InfinispanBackupStore.freePort(start.getHost())));
        // One name for all groups of the job: when a spawner is lost, those of its daemons that go on bring their
        // copies along.
        return new LazyBlockBackups.Opened(
                self,
                InfinispanBackupStore.open(
                        job.getNamespace() + "/" + job.getName() + "/" + job.getUid(),
                        self,
                        TlsContexts.context(identity, new JobTrustManager(identity, inbox::refused)),
                        StoreSettings.of(job.getCopies()).waiting(RESTORE_WAIT),
                        GATHERING));
    }

    private static void handle(Action action, Mesh mesh, HostChannel parent, LazyBlockBackups store, RoleRuntime role) {
        if (StageTracer.isOn()) {
            mark(action);
        }
        switch (action) {
            case Action.Send(WorkerId to, Message message) -> mesh.send(to, message);
            case Action.AddPeer(Member member) -> mesh.know(member);
            case Action.ReadArbiter() -> parent.readArbiter();
            case Action.CompareAndSet(var expected, var next) -> parent.compareAndSet(expected, next);
            case Action.EmitEvent(var event) -> parent.event(event);
            case Action.Finish(var outcome) -> parent.finished(outcome);
            case Action.OpenBackupStore() -> store.open();
            case Action.UpdateHolders(var holders) -> {
                store.holders(holders);
                parent.holders(holders);
            }
            default -> role.handle(action);
        }
    }

    private static void mark(Action action) {
        switch (action) {
            case Action.EmitEvent(JobEvent.DaemonLost lost) ->
                StageTracer.mark("verdict", lost.daemon(), lost.blocks());
            case Action.EmitEvent(JobEvent.BlocksReassigned given) ->
                StageTracer.mark("reassigned", given.daemon(), given.blocks());
            case Action.RestoreBlock restore -> StageTracer.mark("assigned", restore.block());
            case Action.StartBlock start -> StageTracer.mark("started", start.block());
            case Action.OpenBackupStore() -> StageTracer.mark("opens", "store");
            case Action.UpdateHolders(var holders) -> StageTracer.mark("holders", holders.size());
            default -> {}
        }
    }

    /** Takes a message from the parent. */
    void heard(ParentToChild message) {
        switch (message.getPayloadCase()) {
            case SPAWNERS ->
                agent.offer(new Event.SpawnersFound(message.getSpawners().getMembersList().stream()
                        .map(Shapes::read)
                        .toList()));
            case ARBITER -> agent.offer(new Event.ArbiterAnswered(LocalCodec.read(message.getArbiter())));
            case START, STOP, PAYLOAD_NOT_SET ->
                parent.failure("unexpected message " + message.getPayloadCase() + "; use matching versions");
        }
    }

    /** Hands an event to the machine; from any thread. */
    void offer(Event event) {
        agent.offer(event);
    }

    /** What this spawner knows of the job. */
    CompletableFuture<SpawnerView> view() {
        return agent.ask(role::view);
    }

    Member self() {
        return mesh.self();
    }

    /** The description, with what only the opened problem knows. */
    JobDescription job() {
        return job;
    }

    /** Whether this process can serve as another worker once this one is closed: a store does not give its port back. */
    boolean leavesNothing() {
        return store.neverOpened();
    }

    /** This process is told to end: what it computes is handed over, after which it is dismissed. */
    void leave() {
        agent.offer(new Event.ShutdownRequested());
    }

    /** Ends what computes and decides, and tells the parent the last of it; connections stay. */
    void end() {
        agent.close();
        role.close();
    }

    @Override
    public void close() {
        end();
        store.close();
        mesh.close();
    }
}

package dev.volary.worker;

import dev.volary.mesh.Mesh;
import dev.volary.mesh.MeshConfig;
import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.codec.Shapes;
import dev.volary.mesh.fault.Faults;
import dev.volary.mesh.tls.Identity;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.ParentToChild;
import dev.volary.mesh.v1.Ready;
import dev.volary.mesh.v1.Start;
import dev.volary.protocol.Action;
import dev.volary.protocol.Event;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.Role;
import dev.volary.solver.InvalidProblem;
import java.io.IOException;
import java.security.GeneralSecurityException;

/** One worker: mesh, agent and the runtime of its role, put together. */
final class Worker implements AutoCloseable {
    private final ParentChannel parent;
    private final Mesh mesh;
    private final Agent agent;
    private final ActionHandler role;

    private Worker(ParentChannel parent, Mesh mesh, Agent agent, ActionHandler role) {
        this.parent = parent;
        this.mesh = mesh;
        this.agent = agent;
        this.role = role;
    }

    /**
     * Starts a worker: when it returns, the parent knows where it listens.
     *
     * @param whenDismissed called, on the agent's thread, when this worker has no place in the job under its identity
     * @throws IOException if it cannot listen
     * @throws GeneralSecurityException if the identity cannot be read
     * @throws InvalidProblem if the problem cannot be opened here
     */
    static Worker start(Start start, ParentChannel parent, Runnable whenDismissed)
            throws IOException, GeneralSecurityException, InvalidProblem {
        JobDescription job = start.getJob();
        Inbox inbox = new Inbox();
        Mesh mesh = Mesh.start(meshConfig(start), Identity.of(start.getIdentity()), inbox);
        try {
            Member self = mesh.self();
            parent.ready(Ready.newBuilder().setMember(Shapes.write(self)).build());
            OpenedProblem problem = OpenedProblem.open(job);
            ActionHandler role = self.role() == Role.DAEMON
                    ? new DaemonRuntime(job, problem, mesh, parent, inbox, whenDismissed)
                    : new SpawnerRuntime(job, problem, parent, inbox);
            Agent agent = new Agent(
                    role.machine(self, JobShapes.of(problem.decomposition())),
                    action -> handle(action, mesh, parent, role),
                    broken -> {
                        broken.printStackTrace();
                        parent.failure(self.name() + " failed: " + broken + "; this is a defect, see its log");
                    });
            inbox.connect(agent, role);
            agent.start();
            return new Worker(parent, mesh, agent, role);
        } catch (InvalidProblem | RuntimeException e) {
            mesh.close();
            throw e;
        }
    }

    private static MeshConfig meshConfig(Start start) {
        JobDescription job = start.getJob();
        return MeshConfig.builder(
                        new NodeId(start.getNodeId()),
                        Shapes.read(start.getRole()),
                        start.getHost(),
                        job.getProblemHash())
                .machine(start.getZone(), start.getCores(), start.getMemoryBytes())
                .ports(start.getPort(), start.getBulkPort())
                .bulkShare(job.getBulkShare())
                .faults(Faults.parse(job.getFaults()), job.getSeed())
                .build();
    }

    private static void handle(Action action, Mesh mesh, ParentChannel parent, ActionHandler role) {
        switch (action) {
            case Action.Send(NodeId to, Message message) -> mesh.send(to, message);
            case Action.Know(Member member) -> mesh.know(member);
            case Action.ReadArbiter() -> parent.readArbiter();
            case Action.CompareAndSet(var expected, var next) -> parent.compareAndSet(expected, next);
            case Action.Emit(var event) -> parent.event(event);
            case Action.Finish(var outcome) -> parent.finished(outcome);
            default -> role.handle(action);
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

    /** This process is told to end: what it computes is handed over, after which it is dismissed. */
    void leave() {
        agent.offer(new Event.Leaving());
    }

    @Override
    public void close() {
        agent.close();
        role.close();
        mesh.close();
    }
}

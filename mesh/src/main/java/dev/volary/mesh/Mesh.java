// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh;

import dev.volary.mesh.control.ControlTelemetry;
import dev.volary.mesh.link.LockStepLink;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.link.MeshListener;
import dev.volary.mesh.link.NewestWinsLink;
import dev.volary.mesh.link.OutgoingLink;
import dev.volary.mesh.spawnerapi.ReplicaClient;
import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.transport.EventLoop;
import dev.volary.protocol.message.MembershipMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.util.List;

/**
 * A worker's end of its job's mesh: a server, and connections to the workers it knows. All methods may be called from any
 * thread and return at once.
 */
public interface Mesh extends AutoCloseable {

    /**
     * Listens and is ready to be reached.
     *
     * @throws IOException if it cannot listen; the message names address, port and remedy
     */
    static Mesh start(MeshConfig config, IdentitySource identity, MeshListener listener) throws IOException {
        return start(config, identity, listener, List.of(), List.of());
    }

    /**
     * As {@link #start(MeshConfig, IdentitySource, MeshListener)}, with other services beside it. They are called on the event
     * loop of their port, and must return at once.
     *
     * @param controlServices on the control port
     * @param bulkServices on the bulk port
     */
    static Mesh start(
            MeshConfig config,
            IdentitySource identity,
            MeshListener listener,
            List<ServerServiceDefinition> controlServices,
            List<ServerServiceDefinition> bulkServices)
            throws IOException {
        return new GrpcMesh(config, identity, listener, controlServices, bulkServices);
    }

    /** The loop of the control messages: a machine that runs on it needs no other thread to be woken. */
    EventLoop controlLoop();

    /** What others need to know to reach this worker: its name stands in the identity, its address is bound. */
    Member self();

    /** Where this worker's bulk connections arrive. */
    Address bulkAddress();

    /**
     * Reaches the replicas that a worker keeps; connects with the first request.
     *
     * @param bulkAddress of the worker
     * @throws IOException if this worker's identity cannot be used
     */
    ReplicaClient replicas(Address bulkAddress) throws IOException;

    /**
     * Makes a worker reachable: the first message for it connects, and a connection that breaks is dialed again until the
     * worker is forgotten. A worker that connects to us is reachable by that until its connection ends for good.
     */
    void addPeer(Member member);

    /**
     * Sends a control message: reliably and in order, also over broken connections, as long as both processes live and neither
     * has forgotten the other. A message for a worker that is not known yet waits until it is. A {@link MembershipMessage.PeerMessage} is sent now or never, and once.
     */
    void send(WorkerId to, Message message);

    /**
     * A worker is no longer needed, most likely because it is dead. An open connection stays, so that a worker that was evicted
     * by mistake learns it. Once there is none, the worker is dialed for {@link MeshConfig#forgetAfter} at most, or until its
     * address refuses; then all that is known of it is dropped, messages that wait for it included. If it connects later, the
     * control link begins again on both sides. {@link #addPeer} makes it reachable again.
     */
    void forget(WorkerId peer);

    /**
     * The sending end of a link, newest wins; the same object for the same blocks.
     *
     * @param length number of values
     */
    OutgoingLink outgoing(int from, int to, int length);

    /**
     * As {@link #outgoing}, between blocks that work in rounds: a block may complete the next round before its halo of this one is
     * sent or read, so the two newest are kept and sent in order.
     */
    OutgoingLink outgoingInRounds(int from, int to, int length);

    /** The sending end of a link in the synchronous scheme: the two newest iterations are kept, and sent in order. */
    OutgoingLink outgoingLockStep(int from, int to, int length);

    /** The receiving end of a link, newest wins; the same object for the same blocks. */
    NewestWinsLink incoming(int from, int to, int length);

    /** As {@link #incoming}, between blocks that work in rounds: the two newest halos are kept and taken in order. */
    NewestWinsLink incomingInRounds(int from, int to, int length);

    /** The receiving end of a link in the synchronous scheme. */
    LockStepLink incomingLockStep(int from, int to, int length);

    /** Removes all ends of links of this block: it is no longer served here. */
    void removeLinks(int block);

    /** Reports that the compute threads were idle: this time says nothing about the length of an iteration. */
    void reportComputeIdle();

    /** What was sent so far, halos not included. */
    ControlTelemetry controlTelemetry();

    /** Closes all connections and ends both event loops; waits until their threads have ended. */
    @Override
    void close();
}

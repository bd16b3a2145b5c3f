// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.mesh.v1.HaltRequest;
import dev.volary.mesh.v1.LeaveRequest;
import dev.volary.protocol.model.Address;
import io.grpc.ManagedChannel;
import java.io.IOException;

/** Sends the requests of a spawner to a worker outside the mesh. Calls block; any thread but an event loop's may make them. */
public final class WorkerClient implements AutoCloseable {
    private final Call call;

    WorkerClient(Address address, ManagedChannel channel) {
        this.call = new Call(address, channel);
    }

    /**
     * Ends the process without warning.
     *
     * @throws RefusedException if the job allows no chaos
     * @throws IOException if it cannot be reached
     */
    public void halt() throws IOException {
        var _ = call.ask(Methods.HALT, HaltRequest.getDefaultInstance(), Call.SHORT);
    }

    /** Requests that the worker hand over its blocks and leave. */
    public void leave() throws IOException {
        var _ = call.ask(Methods.LEAVE, LeaveRequest.getDefaultInstance(), Call.SHORT);
    }

    @Override
    public void close() {
        call.close();
    }
}

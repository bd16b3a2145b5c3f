// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.transport.Channels;
import dev.volary.mesh.transport.EventLoop;
import dev.volary.protocol.model.Address;
import java.io.IOException;
import java.util.Set;

/** Reaches workers of any job from outside their meshes. All its connections share one event loop. */
public final class ApiChannels implements AutoCloseable {
    private final EventLoop loop;

    /** @param name of the event loop's thread */
    public ApiChannels(String name) {
        this.loop = new EventLoop(name);
    }

    /**
     * A spawner at an address; connects with the first call, which fails if the other side does not prove to be a spawner of
     * the caller's job.
     *
     * @param identity of the caller, of the spawner's job
     * @throws IOException if the identity cannot be used
     */
    public SpawnerClient spawner(Address address, IdentitySource identity) throws IOException {
        return new SpawnerClient(address, Channels.open(loop, address, identity, Set.of(SpiffeId.SPAWNER)));
    }

    /** Any worker at an address, as {@link #spawner}. */
    public WorkerClient worker(Address address, IdentitySource identity) throws IOException {
        return new WorkerClient(
                address, Channels.open(loop, address, identity, Set.of(SpiffeId.SPAWNER, SpiffeId.DAEMON)));
    }

    @Override
    public void close() {
        loop.close();
    }
}

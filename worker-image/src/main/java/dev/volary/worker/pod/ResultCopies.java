// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.spawnerapi.ApiChannels;
import dev.volary.mesh.spawnerapi.Download;
import dev.volary.mesh.spawnerapi.ResultDigest;
import dev.volary.mesh.spawnerapi.SpawnerClient;
import dev.volary.mesh.tls.IdentitySource;
import dev.volary.mesh.v1.FetchedFile;
import dev.volary.mesh.v1.KeepResultReply;
import dev.volary.mesh.v1.KeepResultRequest;
import dev.volary.mesh.v1.PendingResult;
import dev.volary.protocol.model.Address;
import dev.volary.protocol.model.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Copies the result of a job from one spawner's spool into that of another. Both ends are here: {@link #copy} at the spawner that has
 * it asks, {@link #keep} at the other one fetches. Calls block; several threads may make them.
 */
public final class ResultCopies {
    private static final Duration REPORT = Duration.ofSeconds(1);

    private final ResultSpool spool;
    private final ApiChannels channels;
    private final IdentitySource identity;
    private final ReentrantLock keeping = new ReentrantLock();

    /** @param channels closed by its owner */
    public ResultCopies(ResultSpool spool, ApiChannels channels, IdentitySource identity) {
        this.spool = spool;
        this.channels = channels;
        this.identity = identity;
    }

    /**
     * Gives another spawner a copy of the result here; returns when the copy is durable there.
     *
     * @param from this spawner's control address
     * @param over whether the job is over: then the result is the other spawner's own at once
     * @throws IOException if there is no copy: the other spawner cannot be reached, cannot store it or makes no progress
     */
    public void copy(Address from, Member to, PendingResult result, boolean over) throws IOException {
        if (!spool.hasResult(result.getSid())) {
            throw new IOException("the result of snapshot " + result.getSid() + " is not here");
        }
        String digest = spool.digest();
        // A connection of its own: those of the discovery are closed when a name is not resolved for a moment.
        try (SpawnerClient client = channels.spawner(to.address(), identity)) {
            client.keepResult(from, digest, result, over);
        }
    }

    /**
     * Fetches a result and keeps it until the job is over, or until a client has it if it is over.
     *
     * @param out takes a report now and then, and the last one when the copy is durable
     * @throws IllegalStateException if another copy is being made, or only this spawner has the outcome of the job already
     */
    public void keep(KeepResultRequest request, Consumer<KeepResultReply> out) throws IOException {
        if (!keeping.tryLock()) {
            throw new IllegalStateException("this spawner is already fetching a result; ask again when it has it");
        }
        try {
            PendingResult result = request.getResult();
            if (spool.outcome().isPresent() && !request.getOver()) {
                throw new IllegalStateException("the job is over here");
            }
            if (!spool.hasResult(result.getSid()) || !spool.digest().equals(request.getDigest())) {
                fetch(request, out);
            }
            if (request.getOver()) {
                spool.keepFinal(result);
            } else {
                spool.keepPending(result);
            }
            out.accept(KeepResultReply.newBuilder().setDurable(true).build());
        } finally {
            keeping.unlock();
        }
    }

    private void fetch(KeepResultRequest request, Consumer<KeepResultReply> out) throws IOException {
        Download download = Download.to(spool.result());
        try (SpawnerClient holder = channels.spawner(new Address(request.getHost(), request.getPort()), identity)) {
            long[] reported = {System.nanoTime()};
            List<FetchedFile> files =
                    holder.fetch(download.folder(), request.getResult().getSid(), (bytes, totalBytes) -> {
                        long now = System.nanoTime();
                        if (now - reported[0] >= REPORT.toNanos()) {
                            reported[0] = now;
                            out.accept(
                                    KeepResultReply.newBuilder().setBytes(bytes).build());
                        }
                    });
            String digest = ResultDigest.of(files);
            if (!digest.equals(request.getDigest())) {
                throw new IOException("the result that arrived has digest %s, that of the other spawner has %s"
                        .formatted(digest, request.getDigest()));
            }
            download.accept();
        } finally {
            download.discard();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.spawnerapi;

import dev.volary.mesh.v1.CheckpointReply;
import dev.volary.mesh.v1.DeliveredPart;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.FetchRequest;
import dev.volary.mesh.v1.HintReply;
import dev.volary.mesh.v1.HintRequest;
import dev.volary.mesh.v1.HoldPartsReply;
import dev.volary.mesh.v1.HoldPartsRequest;
import dev.volary.mesh.v1.IntroduceReply;
import dev.volary.mesh.v1.KeepResultReply;
import dev.volary.mesh.v1.KeepResultRequest;
import dev.volary.mesh.v1.KillReply;
import dev.volary.mesh.v1.KillRequest;
import dev.volary.mesh.v1.ReadPartReply;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.StatusRequest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The spawner's answers to {@code volary.mesh.v1.Spawner}. Called on an event loop, so all return at once
 * except those with a consumer or with pieces: these run on a thread of their own and may block; their consumer blocks while the caller is slow,
 * and throws when the caller has canceled. A refusal is an {@link IllegalStateException}, a failure an {@link IOException}; callers get their messages.
 */
public interface SpawnerApi {
    /** How the job is doing. */
    CompletableFuture<StatusReply> status(StatusRequest request);

    /** A pod is about to end, or has ended. */
    CompletableFuture<HintReply> hint(HintRequest request);

    /** Takes a snapshot now. */
    CompletableFuture<CheckpointReply> checkpoint();

    /** Sends the files of the result, and their digest. */
    void fetch(FetchRequest request, Consumer<FetchReply> out) throws IOException;

    /** The result with this digest is durable where it was fetched to. */
    CompletableFuture<Void> acknowledge(String digest);

    /**
     * Ends processes without warning.
     *
     * @param answered completes when the answer has been sent; a spawner that is to end itself waits for it
     */
    CompletableFuture<KillReply> kill(KillRequest request, CompletableFuture<Void> answered);

    /** Who is here. */
    CompletableFuture<IntroduceReply> introduce();

    /**
     * A daemon brings a recorded part: returns when it is durable.
     *
     * @param pieces of its values, each of which waits until it arrives
     * @return CRC-32C of its bytes as stored
     */
    int deliver(DeliveredPart part, PartPieces pieces) throws IOException;

    /** Sends the values of a recorded part. */
    void readPart(long sid, int block, Consumer<ReadPartReply> out) throws IOException;

    /** The parts of earlier snapshots are of no use any more. */
    CompletableFuture<Void> forgetParts(long before);

    /** Copies those parts from other spawners that are not here. */
    void holdParts(HoldPartsRequest request, Consumer<HoldPartsReply> out) throws IOException;

    /** Fetches the result of another spawner and keeps it. */
    void keepResult(KeepResultRequest request, Consumer<KeepResultReply> out) throws IOException;
}

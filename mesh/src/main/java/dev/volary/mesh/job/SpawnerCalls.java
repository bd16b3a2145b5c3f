package dev.volary.mesh.job;

import dev.volary.mesh.v1.CheckpointReply;
import dev.volary.mesh.v1.DeliverReply;
import dev.volary.mesh.v1.DeliveredPart;
import dev.volary.mesh.v1.FetchReply;
import dev.volary.mesh.v1.HintReply;
import dev.volary.mesh.v1.HintRequest;
import dev.volary.mesh.v1.IntroduceReply;
import dev.volary.mesh.v1.KillReply;
import dev.volary.mesh.v1.KillRequest;
import dev.volary.mesh.v1.StatusReply;
import dev.volary.mesh.v1.StatusRequest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The spawner's answers to {@code volary.mesh.v1.Spawner}. Called on an event loop, so all but {@link #fetch} return at once.
 * A refusal is an {@link IllegalStateException}, a failure an {@link IOException}; callers get their messages.
 */
public interface SpawnerCalls {
    /** How the job is doing. */
    CompletableFuture<StatusReply> status(StatusRequest request);

    /** A pod is going or gone. */
    CompletableFuture<HintReply> hint(HintRequest request);

    /** Takes a snapshot now. */
    CompletableFuture<CheckpointReply> checkpoint();

    /**
     * Says the files of the result; may block, on a thread of its own.
     *
     * @param listOnly without their contents
     * @param out blocks while the caller is slow, and throws when it is gone
     */
    void fetch(boolean listOnly, Consumer<FetchReply> out) throws IOException;

    /** Ends processes without warning. */
    CompletableFuture<KillReply> kill(KillRequest request);

    /** Who is here. */
    CompletableFuture<IntroduceReply> introduce();

    /** A daemon brings a recorded part: answers when it is durable. */
    CompletableFuture<DeliverReply> deliver(DeliveredPart part, double[] values);
}

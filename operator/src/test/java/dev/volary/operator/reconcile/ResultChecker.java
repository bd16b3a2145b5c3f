// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedJob;
import dev.volary.operator.simulated.SimulatedWorkers;
import dev.volary.operator.simulated.VirtualTime;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Checks what the operator says of a result and when it deletes a job: nothing before the result is where it belongs, and the time
 * to live counts from then.
 */
final class ResultChecker {
    private final VirtualTime time;
    private final SimulatedWorkers workers;
    private final Consumer<String> violated;

    ResultChecker(VirtualTime time, SimulatedWorkers workers, Consumer<String> violated) {
        this.time = time;
        this.workers = workers;
        this.violated = violated;
    }

    /** A status was written. */
    void check(ObjectNode job) {
        SimulatedJob truth = workers.job(SimulatedApiServer.uid(job));
        JsonNode status = job.path("status");
        if (status.path("phase").asText().equals("Succeeded") && (truth == null || !truth.wasDelivered())) {
            violated.accept("the phase is Succeeded, and the result is not stored yet");
        }
        if (status.has("resultLocation") && (truth == null || !truth.isStored())) {
            violated.accept("status.resultLocation is " + status.path("resultLocation") + ", and no result is there");
        }
        if (status.path("phase").asText().equals("Failed") && truth != null && truth.isPublishing()) {
            violated.accept("the phase is Failed, and the workers store a certified result");
        }
    }

    /** The operator deletes the job itself. */
    void deleted(ObjectNode job) {
        SimulatedJob truth = workers.job(SimulatedApiServer.uid(job));
        String completion = job.at("/status/completionTime").asText();
        JsonNode lifetime = job.at("/spec/ttlSecondsAfterFinished");
        if (completion.isEmpty() || !lifetime.isInt() || (truth != null && truth.isPublishing())) {
            violated.accept("the job is deleted before it has ended");
        } else if (time.now().isBefore(Instant.parse(completion).plusSeconds(lifetime.asInt()))) {
            violated.accept("the job ended at " + completion + " and is deleted at " + time.now() + ", before "
                    + lifetime + " s have passed");
        }
    }
}

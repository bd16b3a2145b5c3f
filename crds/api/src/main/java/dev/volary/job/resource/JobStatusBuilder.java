// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A status that is being written; see {@link JobStatus#but}. The fields are those of {@link JobStatus}. */
public final class JobStatusBuilder {
    public @Nullable Long observedGeneration;
    public @Nullable Phase phase;
    public List<Condition> conditions;
    public @Nullable String startTime;
    public @Nullable String completionTime;
    public @Nullable String predictedCompletionTime;
    public @Nullable String certifiedResidual;
    public @Nullable String tolerance;
    public @Nullable Long iterations;
    public @Nullable Integer blocks;
    public @Nullable DaemonStatus daemons;
    public @Nullable String selector;
    public JobStatus.@Nullable Replacements replacements;
    public @Nullable Integer retriesUsed;
    public @Nullable String lastCheckpointTime;
    public @Nullable String checkpointRequest;
    public @Nullable String leader;
    public @Nullable Boolean resultFetched;
    public @Nullable String resultLocation;
    public JobStatus.@Nullable Serials serials;
    public @Nullable String roster;
    public List<JobStatus.Transition> stateTransitions;

    JobStatusBuilder(JobStatus from) {
        observedGeneration = from.observedGeneration();
        phase = from.phase();
        conditions = from.conditions();
        startTime = from.startTime();
        completionTime = from.completionTime();
        predictedCompletionTime = from.predictedCompletionTime();
        certifiedResidual = from.certifiedResidual();
        tolerance = from.tolerance();
        iterations = from.iterations();
        blocks = from.blocks();
        daemons = from.daemons();
        selector = from.selector();
        replacements = from.replacements();
        retriesUsed = from.retriesUsed();
        lastCheckpointTime = from.lastCheckpointTime();
        checkpointRequest = from.checkpointRequest();
        leader = from.leader();
        resultFetched = from.resultFetched();
        resultLocation = from.resultLocation();
        serials = from.serials();
        roster = from.roster();
        stateTransitions = from.stateTransitions();
    }

    JobStatus finished() {
        return new JobStatus(
                observedGeneration,
                phase,
                conditions,
                startTime,
                completionTime,
                predictedCompletionTime,
                certifiedResidual,
                tolerance,
                iterations,
                blocks,
                daemons,
                selector,
                replacements,
                retriesUsed,
                lastCheckpointTime,
                checkpointRequest,
                leader,
                resultFetched,
                resultLocation,
                serials,
                roster,
                stateTransitions);
    }
}

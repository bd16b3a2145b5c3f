package dev.volary.crd.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What to solve and how. Components that are not nullable are never null: the API server, or else this, fills them. */
public record JobSpec(
        @Required @JsonPropertyDescription("What is solved. Immutable.")
        ProblemSpec problem,

        @Size(max = 16) @JsonPropertyDescription("Folders with the problem's files; parameters name a file as input:file. Immutable.")
        List<InputSpec> inputs,

        @Min(1) @Max(1_000_000) @JsonPropertyDescription(
                "Number of blocks into which the problem's vector is cut; if left out, spec.daemons.replicas"
                        + " at the time the job is planned (status.blocks). Immutable.")
        @Nullable Integer blocks,

        @Default("Asynchronous")
        @JsonPropertyDescription(
                "Whether blocks wait for each other. Asynchronous: every block goes on with the newest halos"
                        + " it has. Synchronous: all blocks in lock-step. Immutable.")
        Scheme scheme,

        @Default("{}") @JsonPropertyDescription("The processes that compute.")
        DaemonSpec daemons,

        @Size(max = 8) @JsonPropertyDescription(
                "Kinds of machines that daemons run on, such as spot and on-demand ones. Daemons are given to"
                        + " the group of the highest priority that is not full. If left out, all daemons use"
                        + " spec.daemons.template.")
        List<WorkerGroupSpec> workerGroups,

        @Default("{}") @JsonPropertyDescription("The processes that look after the daemons: launch, watch, replace.")
        SpawnerSpec spawners,

        @Default("{}") @JsonPropertyDescription("When the job is done. Immutable.")
        ConvergenceSpec convergence,

        @Default("{}") @JsonPropertyDescription("How dead workers are noticed. Immutable.")
        FailureDetectionSpec failureDetection,

        @Default("{}") @JsonPropertyDescription("How the state is kept safe. Immutable.")
        CheckpointSpec checkpoint,

        @JsonPropertyDescription(
                "Start from a snapshot on a checkpoint volume instead of the problem's start values." + " Immutable.")
        @Nullable RestoreSpec restoreFrom,

        @Default("{}") @JsonPropertyDescription("How often to try again.")
        FailurePolicySpec failurePolicy,

        @Default("{}") @JsonPropertyDescription("Where the result goes. Immutable.")
        ResultSpec result,

        @Min(1) @JsonPropertyDescription(
                "The job fails when it has been active for so long, time in suspension not counted; no limit"
                        + " if left out.")
        @Nullable Long activeDeadlineSeconds,

        @Min(1) @JsonPropertyDescription(
                "The job fails if it does not iterate so long after it was created or resumed, for lack of"
                        + " machines for example; no limit if left out.")
        @Nullable Long preRunningDeadlineSeconds,

        @Min(0) @JsonPropertyDescription("A finished job is deleted after so long; kept if left out.") @Nullable Long ttlSecondsAfterFinished,

        @Default("Failed")
        @JsonPropertyDescription(
                "Which pods outlive their job's end, for their logs, until the job is deleted. None: no pod."
                        + " Failed: pods that failed. All: every pod.")
        PodRetention podRetention,

        @Default("false")
        @JsonPropertyDescription(
                "true: take a snapshot onto the checkpoint volume, then delete all pods; false again: go on"
                        + " from there. Needs spec.checkpoint.volume.")
        Boolean suspend,

        @Size(min = 3, max = 63) @JsonPropertyDescription(
                "The controller that manages this job, as domain/path; the Volary operator leaves a job that"
                        + " names another one than volary.dev/operator alone. Immutable.")
        @Nullable String managedBy,

        @Default("{}") @JsonPropertyDescription("Whether faults may be injected. Immutable.")
        ChaosSpec chaos) {

    public JobSpec {
        inputs = Defaults.list(inputs);
        scheme = Defaults.of(scheme, Scheme.Asynchronous);
        daemons = Defaults.of(daemons, DaemonSpec.DEFAULT);
        workerGroups = Defaults.list(workerGroups);
        spawners = Defaults.of(spawners, SpawnerSpec.DEFAULT);
        convergence = Defaults.of(convergence, ConvergenceSpec.DEFAULT);
        failureDetection = Defaults.of(failureDetection, FailureDetectionSpec.DEFAULT);
        checkpoint = Defaults.of(checkpoint, CheckpointSpec.DEFAULT);
        failurePolicy = Defaults.of(failurePolicy, FailurePolicySpec.DEFAULT);
        result = Defaults.of(result, ResultSpec.DEFAULT);
        podRetention = Defaults.of(podRetention, PodRetention.Failed);
        suspend = Defaults.of(suspend, false);
        chaos = Defaults.of(chaos, ChaosSpec.DEFAULT);
    }

    /** Whether blocks wait for each other. */
    public enum Scheme {
        /** Every block goes on with the newest halos it has. */
        Asynchronous,
        /** All blocks in lock-step. */
        Synchronous
    }

    /** Which pods outlive their job's end. */
    public enum PodRetention {
        /** No pod. */
        None,
        /** Pods that failed. */
        Failed,
        /** Every pod. */
        All
    }
}

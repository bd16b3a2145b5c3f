// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What to solve and how. Components that are not nullable are never null: the API server, or else this, fills them. */
@ValidationRule(
        value = "self.problem == oldSelf.problem",
        fieldPath = ".problem",
        messageExpression = "'spec.problem (type %s) is not what it was (type %s), or its parameters are others; "
                + CelRules.KEEP + ".format([self.problem.type, oldSelf.problem.type])")
@ValidationRule(
        value = "has(self.inputs) ? has(oldSelf.inputs) && self.inputs == oldSelf.inputs : !has(oldSelf.inputs)",
        fieldPath = ".inputs",
        messageExpression = "'spec.inputs, now with %s entries, is not what it was; " + CelRules.KEEP
                + ".format([has(self.inputs) ? string(size(self.inputs)) : 'no'])")
@ValidationRule(
        value = "has(self.blocks) ? has(oldSelf.blocks) && self.blocks == oldSelf.blocks : !has(oldSelf.blocks)",
        fieldPath = ".blocks",
        messageExpression =
                "'spec.blocks is %s, was %s; " + CelRules.KEEP
                        + ".format([has(self.blocks) ? string(self.blocks) : 'not set', has(oldSelf.blocks) ? string(oldSelf.blocks) : 'not set'])")
@ValidationRule(
        value = "self.scheme == oldSelf.scheme",
        fieldPath = ".scheme",
        messageExpression = "'spec.scheme is %s, was %s; " + CelRules.KEEP + ".format([self.scheme, oldSelf.scheme])")
@ValidationRule(
        value = "self.convergence == oldSelf.convergence",
        fieldPath = ".convergence",
        messageExpression =
                "'spec.convergence (tolerance %s, %s) is not what it was (tolerance %s, %s); " + CelRules.KEEP
                        + ".format([self.convergence.tolerance, self.convergence.norm, oldSelf.convergence.tolerance, oldSelf.convergence.norm])")
@ValidationRule(
        value = "self.failureDetection == oldSelf.failureDetection",
        fieldPath = ".failureDetection",
        messageExpression = "'spec.failureDetection (%s) is not what it was (%s); " + CelRules.KEEP
                + ".format([self.failureDetection.strategy, oldSelf.failureDetection.strategy])")
@ValidationRule(
        value = "self.checkpoint == oldSelf.checkpoint",
        fieldPath = ".checkpoint",
        messageExpression =
                "'spec.checkpoint (copies %s, interval %s) is not what it was (copies %s, interval %s), or its storage is another; "
                        + CelRules.KEEP
                        + ".format([string(self.checkpoint.copies), self.checkpoint.interval, string(oldSelf.checkpoint.copies), oldSelf.checkpoint.interval])")
@ValidationRule(
        value =
                "has(self.restoreFrom) ? has(oldSelf.restoreFrom) && self.restoreFrom == oldSelf.restoreFrom : !has(oldSelf.restoreFrom)",
        fieldPath = ".restoreFrom",
        messageExpression =
                "'spec.restoreFrom (%s) is not what it was (%s); " + CelRules.KEEP
                        + ".format([has(self.restoreFrom) ? (has(self.restoreFrom.persistentVolumeClaim) ? self.restoreFrom.persistentVolumeClaim.claimName : self.restoreFrom.objectStore.bucket) : 'not set',"
                        + " has(oldSelf.restoreFrom) ? (has(oldSelf.restoreFrom.persistentVolumeClaim) ? oldSelf.restoreFrom.persistentVolumeClaim.claimName : oldSelf.restoreFrom.objectStore.bucket) : 'not set'])")
@ValidationRule(
        value =
                "has(self.initialGuess) ? has(oldSelf.initialGuess) && self.initialGuess == oldSelf.initialGuess : !has(oldSelf.initialGuess)",
        fieldPath = ".initialGuess",
        messageExpression =
                "'spec.initialGuess is %s, was %s; " + CelRules.KEEP
                        + ".format([has(self.initialGuess) ? self.initialGuess : 'not set', has(oldSelf.initialGuess) ? oldSelf.initialGuess : 'not set'])")
@ValidationRule(
        value =
                "!has(self.initialGuess) || has(self.inputs) && self.inputs.exists(input, self.initialGuess.startsWith(input.name + ':'))",
        fieldPath = ".initialGuess",
        messageExpression =
                "'spec.initialGuess is \"%s\", which begins with the name of no entry of spec.inputs; write it as NAME:FILE.npy or NAME:FOLDER'.format([self.initialGuess])")
@ValidationRule(
        value = "!has(self.initialGuess) || !has(self.restoreFrom)",
        fieldPath = ".initialGuess",
        messageExpression =
                "'spec.initialGuess is \"%s\", but spec.restoreFrom names a vector to start from too; keep one of them'.format([self.initialGuess])")
@ValidationRule(
        value = "self.result == oldSelf.result",
        fieldPath = ".result",
        messageExpression = "'spec.result (%s) is not what it was (%s), or its storage or everySteps is another; "
                + CelRules.KEEP + ".format([self.result.destination, oldSelf.result.destination])")
@ValidationRule(
        value =
                "has(self.managedBy) ? has(oldSelf.managedBy) && self.managedBy == oldSelf.managedBy : !has(oldSelf.managedBy)",
        fieldPath = ".managedBy",
        messageExpression =
                "'spec.managedBy is %s, was %s; " + CelRules.KEEP
                        + ".format([has(self.managedBy) ? self.managedBy : 'not set', has(oldSelf.managedBy) ? oldSelf.managedBy : 'not set'])")
@ValidationRule(
        value = "self.chaos == oldSelf.chaos",
        fieldPath = ".chaos",
        messageExpression =
                "'spec.chaos (allowed %s, pace %s) is not what it was (allowed %s, pace %s); " + CelRules.KEEP
                        + ".format([self.chaos.allowed, has(self.chaos.pace) ? self.chaos.pace : 'not set',"
                        + " oldSelf.chaos.allowed, has(oldSelf.chaos.pace) ? oldSelf.chaos.pace : 'not set'])")
@ValidationRule(
        value = "!self.suspend || has(self.checkpoint.volume) || has(self.checkpoint.objectStore)",
        fieldPath = ".suspend",
        message =
                "spec.suspend is true, but there is no storage that the state could go to; give spec.checkpoint.volume or objectStore, which a job must have from its start")
@ValidationRule(
        value =
                "self.checkpoint.copies <= 2 || self.checkpoint.copies < self.daemons.replicas + self.daemons.standbys + "
                        + CelRules.SPAWNERS,
        fieldPath = ".checkpoint.copies",
        messageExpression =
                "'spec.checkpoint.copies is %s, but beside its owner a block has only %s workers to be copied to; lower it, or add daemons, standbys or spawners'.format([self.checkpoint.copies, self.daemons.replicas + self.daemons.standbys + "
                        + CelRules.SPAWNERS + " - 1])")
@ValidationRule(
        value = "!has(self.blocks) || self.blocks <= self.daemons.replicas * " + JobSpec.BLOCKS_PER_DAEMON,
        fieldPath = ".blocks",
        messageExpression = "'spec.blocks is %s, but a daemon computes at most " + JobSpec.BLOCKS_PER_DAEMON
                + " blocks and spec.daemons.replicas is %s; lower blocks to %s or raise replicas'"
                + ".format([self.blocks, self.daemons.replicas, self.daemons.replicas * " + JobSpec.BLOCKS_PER_DAEMON
                + "])")
@ValidationRule(
        value = "!has(self.spawners.replicas) || self.spawners.replicas * " + GroupBound.DAEMONS + " >= "
                + CelRules.MOST_DAEMONS,
        fieldPath = ".spawners.replicas",
        messageExpression = "'spec.spawners.replicas is %s, but one spawner manages at most " + GroupBound.DAEMONS
                + " daemons and spec.daemons allows %s, standbys included; set it to %s or leave it out'"
                + ".format([self.spawners.replicas, " + CelRules.MOST_DAEMONS + ", (" + CelRules.MOST_DAEMONS + " + "
                + (GroupBound.DAEMONS - 1) + ") / "
                + GroupBound.DAEMONS + "])")
@ValidationRule(
        value = "self.scheme != 'Synchronous' || self.convergence.detector != 'TreeVerification'",
        fieldPath = ".convergence.detector",
        message =
                "spec.convergence.detector is TreeVerification, which is for the scheme Asynchronous; leave it out with Synchronous")
@ValidationRule(
        value =
                "!has(self.workerGroups) || size(self.workerGroups) == 0 || self.workerGroups.exists(g, !has(g.maxReplicas)) || self.workerGroups.map(g, g.maxReplicas).sum() >= self.daemons.replicas + self.daemons.standbys",
        fieldPath = ".workerGroups",
        messageExpression =
                "'spec.workerGroups have room for %s daemons, but spec.daemons asks for %s, standbys included; raise a maxReplicas or ask for fewer'.format([self.workerGroups.map(g, has(g.maxReplicas) ? g.maxReplicas : 0).sum(), self.daemons.replicas + self.daemons.standbys])")
public record JobSpec(
        @Required @JsonPropertyDescription("What is solved. Immutable.")
        ProblemSpec problem,

        @Size(max = 16) @JsonPropertyDescription("Folders with the problem's files; parameters name a file as NAME:FILE. Immutable.")
        @ValidationRule(
                value = "self.all(x, self.exists_one(y, y.name == x.name))",
                messageExpression =
                        "'spec.inputs has two entries of one name among %s; rename one of them'.format([self.map(x, x.name)])")
        List<InputSpec> inputs,

        @Min(1) @Max(BLOCKS_MAX) @JsonPropertyDescription(
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
        @ValidationRule(
                value = "self.all(x, self.exists_one(y, y.name == x.name))",
                messageExpression =
                        "'spec.workerGroups has two entries of one name among %s; rename one of them'.format([self.map(x, x.name)])")
        List<WorkerGroupSpec> workerGroups,

        @Default("{}") @JsonPropertyDescription("The processes that manage the daemons: launch, watch, replace.")
        SpawnerSpec spawners,

        @Default("{}") @JsonPropertyDescription("When the job is done. Immutable.")
        ConvergenceSpec convergence,

        @Default("{}") @JsonPropertyDescription("How dead workers are noticed. Immutable.")
        FailureDetectionSpec failureDetection,

        @Default("{}") @JsonPropertyDescription("How the state is kept safe. Immutable.")
        CheckpointSpec checkpoint,

        @JsonPropertyDescription(
                "Start from a checkpoint of another job, or of an earlier one of this name, instead of the problem's start values."
                        + " Immutable.")
        @Nullable RestoreSpec restoreFrom,

        @Size(min = 3, max = 4096) @JsonPropertyDescription(
                "Start from a vector among spec.inputs instead of the problem's start values: NAME:FILE.npy for an array of NumPy,"
                        + " NAME:FOLDER for the result.zarr of a job. It must have the shape of the problem's unknowns. Not for"
                        + " problems with time steps. Immutable.")
        @Nullable String initialGuess,

        @Default("{}") @JsonPropertyDescription("How often to try again.")
        FailurePolicySpec failurePolicy,

        @Default("{}") @JsonPropertyDescription("Where the result goes. Immutable.")
        ResultSpec result,

        @Min(1) @Max(Integer.MAX_VALUE) @JsonPropertyDescription("The job fails when it has been active for this time, suspension not counted; no limit"
                + " if left out. Its result is the best answer that it reached.")
        @Nullable Integer activeDeadlineSeconds,

        @Min(1) @Max(Integer.MAX_VALUE) @JsonPropertyDescription(
                "The job fails if it does not iterate within this time after it was created or resumed, for lack of"
                        + " machines for example; no limit if left out.")
        @Nullable Integer preRunningDeadlineSeconds,

        @Min(0) @Max(Integer.MAX_VALUE) @JsonPropertyDescription("A finished job is deleted after this time; kept if left out.")
        @Nullable Integer ttlSecondsAfterFinished,

        @Default("Failed")
        @JsonPropertyDescription("Which pods are kept for their logs until the finished job is deleted. None: no pod."
                + " Failed: pods that failed and, if the job failed, its spawners. All: every pod."
                + " The operator ends the containers of kept pods if the job failed.")
        PodRetention podRetention,

        @Default("false")
        @JsonPropertyDescription("true: take a checkpoint, then delete all pods; false again: go on"
                + " from there. Needs spec.checkpoint.volume or objectStore.")
        Boolean suspend,

        @Size(min = 3, max = 63) @JsonPropertyDescription(
                "The controller that manages this job, as domain/path; the Volary operator leaves a job that"
                        + " names another one than volary.dev/operator alone. Immutable.")
        @ValidationRule(
                value = "self" + SpecPatterns.MATCHES + SpecPatterns.MANAGER + SpecPatterns.WHOLE,
                messageExpression =
                        "'spec.managedBy is \"%s\"; write it as domain/path, such as kueue.x-k8s.io/multikueue'.format([self])")
        @Nullable String managedBy,

        @Default("{}")
        @JsonPropertyDescription(
                "For rehearsals: whether faults may be injected, and how slowly the job computes. Immutable.")
        ChaosSpec chaos) {

    /** The most blocks of a job: what the replicated log keeps of each must fit one control message between spawners. */
    public static final int BLOCKS_MAX = 100_000;

    /** The most blocks of one daemon: each costs it messages, backups and a share of its time. */
    public static final int BLOCKS_PER_DAEMON = 256;

    public JobSpec {
        inputs = Defaults.list(inputs);
        scheme = Defaults.of(scheme, JobSpec.class, "scheme");
        daemons = Defaults.of(daemons, JobSpec.class, "daemons");
        workerGroups = Defaults.list(workerGroups);
        spawners = Defaults.of(spawners, JobSpec.class, "spawners");
        convergence = Defaults.of(convergence, JobSpec.class, "convergence");
        failureDetection = Defaults.of(failureDetection, JobSpec.class, "failureDetection");
        checkpoint = Defaults.of(checkpoint, JobSpec.class, "checkpoint");
        failurePolicy = Defaults.of(failurePolicy, JobSpec.class, "failurePolicy");
        result = Defaults.of(result, JobSpec.class, "result");
        podRetention = Defaults.of(podRetention, JobSpec.class, "podRetention");
        suspend = Defaults.of(suspend, JobSpec.class, "suspend");
        chaos = Defaults.of(chaos, JobSpec.class, "chaos");
    }

    /** The number of blocks of a job that is planned now. */
    public int blockCount() {
        return blocks == null ? daemons.replicas() : blocks;
    }

    /** The time after which the job fails. */
    public Optional<Duration> activeDeadline() {
        return Optional.ofNullable(activeDeadlineSeconds).map(Duration::ofSeconds);
    }

    /** The number of spawners that the job is to have. */
    public int spawnerCount() {
        Integer given = spawners.replicas();
        return given == null ? GroupBound.usual(daemons.most()) : given;
    }

    /** Whether blocks wait for each other. */
    public enum Scheme {
        /** Every block goes on with the newest halos it has. */
        Asynchronous,
        /** All blocks in lock-step. */
        Synchronous
    }

    /** Which pods are kept after the end of their job. */
    public enum PodRetention {
        /** No pod. */
        None,
        /** Pods that failed. */
        Failed,
        /** Every pod. */
        All
    }
}

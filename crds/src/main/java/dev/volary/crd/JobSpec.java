package dev.volary.crd;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What to solve and how.
 *
 * @param problem the problem and its parameters
 * @param inputs where its files are
 * @param blocks number of blocks; one for each daemon if not given
 * @param scheme whether blocks wait for each other; {@code Asynchronous} if not given
 * @param daemons the processes that compute
 * @param workerGroups which machines a cluster uses; free-form, not used locally
 * @param spawners the processes that look after the daemons
 * @param convergence when the job is done
 * @param failureDetection how dead workers are noticed
 * @param checkpoint how many copies of the state are kept
 * @param restoreFrom a snapshot on a volume to start from; free-form, not used locally
 * @param failurePolicy how often to try again
 * @param result where the result goes
 * @param activeDeadlineSeconds the job fails when it has run for so long; no limit if not given
 * @param preRunningDeadlineSeconds a cluster's job fails if it does not iterate after so long; not used locally
 * @param ttlSecondsAfterFinished how long a cluster keeps the finished job; not used locally
 * @param podRetention which pods a cluster keeps for their logs; not used locally
 * @param suspend a suspended job does not run
 * @param managedBy the controller that manages the job on a cluster; not used locally
 * @param chaos whether faults may be injected, and the job's pace, for rehearsals
 */
public record JobSpec(
        ProblemSpec problem,
        List<InputSpec> inputs,
        Optional<Integer> blocks,
        Scheme scheme,
        DaemonSpec daemons,
        List<Map<String, Object>> workerGroups,
        SpawnerSpec spawners,
        ConvergenceSpec convergence,
        Optional<FailureDetectionSpec> failureDetection,
        Optional<CheckpointSpec> checkpoint,
        Map<String, Object> restoreFrom,
        Optional<FailurePolicySpec> failurePolicy,
        ResultSpec result,
        Optional<Integer> activeDeadlineSeconds,
        Optional<Integer> preRunningDeadlineSeconds,
        Optional<Integer> ttlSecondsAfterFinished,
        PodRetention podRetention,
        boolean suspend,
        Optional<String> managedBy,
        ChaosSpec chaos) {

    /** The largest number of blocks; a problem's size usually sets a lower limit. */
    public static final int MAX_BLOCKS = 1_000_000;

    public JobSpec {
        inputs = List.copyOf(inputs);
        workerGroups = List.copyOf(workerGroups);
    }

    static JobSpec read(Fields in) {
        JobSpec spec = new JobSpec(
                in.object("problem", ProblemSpec::read),
                inputs(in),
                in.integer("blocks", 1, MAX_BLOCKS),
                in.choice("scheme", Scheme.Asynchronous),
                in.object("daemons", DaemonSpec::read),
                in.freeList("workerGroups"),
                in.object("spawners", SpawnerSpec::read),
                in.object("convergence", ConvergenceSpec::read),
                in.optional("failureDetection", FailureDetectionSpec::read),
                in.optional("checkpoint", CheckpointSpec::read),
                in.free("restoreFrom"),
                in.optional("failurePolicy", FailurePolicySpec::read),
                in.object("result", ResultSpec::read),
                in.integer("activeDeadlineSeconds", 1, Integer.MAX_VALUE),
                in.integer("preRunningDeadlineSeconds", 1, Integer.MAX_VALUE),
                in.integer("ttlSecondsAfterFinished", 0, Integer.MAX_VALUE),
                in.choice("podRetention", PodRetention.Failed),
                in.flag("suspend", false),
                in.text("managedBy"),
                in.object("chaos", ChaosSpec::read));
        checkSpawners(spec, in);
        checkDetector(spec, in);
        int others = spec.daemons.replicas() + spec.daemons.standbys() + spec.spawnerCount() - 1;
        spec.checkpoint
                .filter(given -> given.copies() > CheckpointSpec.DEFAULT_COPIES && given.copies() > others)
                .ifPresent(given -> in.fault(
                        "checkpoint",
                        "asks for " + given.copies() + " copies, but beside its owner a block has only " + others
                                + " workers to be copied to; lower copies, or add daemons, standbys or spawners"));
        return spec;
    }

    private static void checkSpawners(JobSpec spec, Fields in) {
        int needed = GroupBound.fewest(spec.daemons.most());
        spec.spawners
                .replicas()
                .filter(given -> given < needed)
                .ifPresent(given -> in.fault(
                        "spawners",
                        "replicas",
                        "is " + given + ", but one spawner manages at most " + GroupBound.DAEMONS
                                + " daemons and spec.daemons allows " + spec.daemons.most()
                                + ", standbys included; set it to " + needed + " or leave it out"));
    }

    private static void checkDetector(JobSpec spec, Fields in) {
        if (spec.scheme == Scheme.Synchronous
                && spec.convergence.detector() == ConvergenceSpec.Detector.TreeVerification) {
            in.fault(
                    "convergence",
                    "detector",
                    "is TreeVerification, which is for the scheme Asynchronous; leave it out with Synchronous");
        }
    }

    /** The number of spawners in force. */
    public int spawnerCount() {
        return spawners.replicas().orElseGet(() -> GroupBound.usual(daemons.most()));
    }

    /** The number of blocks in force. */
    public int blockCount() {
        return blocks.orElse(daemons.replicas());
    }

    /** Copies of each block's state that are wanted. */
    public int copies() {
        return checkpoint.map(CheckpointSpec::copies).orElse(CheckpointSpec.DEFAULT_COPIES);
    }

    /** On how many daemons a block may fail without progress before the job fails. */
    public int blockAttempts() {
        return failurePolicy.orElse(FailurePolicySpec.STANDARD).blockAttempts();
    }

    /** The time after which the job fails. */
    public Optional<Duration> activeDeadline() {
        return activeDeadlineSeconds.map(Duration::ofSeconds);
    }

    private static List<InputSpec> inputs(Fields in) {
        List<InputSpec> inputs = in.list("inputs", InputSpec::read);
        Set<String> names = new HashSet<>();
        for (InputSpec input : inputs) {
            if (!names.add(input.name())) {
                in.fault("inputs", "has two entries named \"" + input.name() + "\"; rename one of them");
            }
        }
        return inputs;
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

    /**
     * What is solved.
     *
     * @param type a name that {@code volary problems} lists
     * @param parameters checked against what that problem declares
     */
    public record ProblemSpec(String type, Map<String, Object> parameters) {
        static ProblemSpec read(Fields in) {
            return new ProblemSpec(
                    in.requiredText("type", "name one of those that `volary problems` lists"), in.free("parameters"));
        }
    }

    /** The processes that manage the daemons: {@code replicas}, as many as needed if not given, and a pod template (cluster). */
    public record SpawnerSpec(Optional<Integer> replicas, Map<String, Object> template) {
        static SpawnerSpec read(Fields in) {
            return new SpawnerSpec(in.integer("replicas", 1, 1000), in.free("template"));
        }
    }

    /** Where the result goes, and a volume for {@link Destination#Volume}, free-form, not usable locally. */
    public record ResultSpec(Destination destination, Map<String, Object> volume) {
        /** A place for results. */
        public enum Destination {
            /** The output folder of a local run. */
            Local,
            /** Streamed to the lead spawner; a local run keeps it in its output folder. */
            Lead,
            /** A volume of a cluster; a local run keeps it in its output folder. */
            Volume
        }

        static ResultSpec read(Fields in) {
            Destination destination = in.choice("destination", Destination.Local);
            Map<String, Object> volume = in.free("volume");
            if ((destination == Destination.Volume) == volume.isEmpty()) {
                in.fault(
                        "destination",
                        "is " + destination
                                + (volume.isEmpty()
                                        ? ", but volume is missing; name a claim there"
                                        : ", which uses no volume; remove volume or set destination: Volume"));
            }
            return new ResultSpec(destination, volume);
        }
    }

    /**
     * For rehearsals.
     *
     * @param allowed whether faults may be injected; false if not given
     * @param pace least duration of an iteration; none if not given
     */
    public record ChaosSpec(boolean allowed, Optional<Duration> pace) {
        private static final Duration LEAST_PACE = Duration.ofMillis(1);
        private static final Duration MOST_PACE = Duration.ofHours(1);

        static ChaosSpec read(Fields in) {
            Optional<Duration> pace = in.duration("pace");
            if (pace.filter(p -> p.compareTo(LEAST_PACE) < 0 || p.compareTo(MOST_PACE) > 0)
                    .isPresent()) {
                in.fault(
                        "pace",
                        "is \"" + in.text("pace").orElseThrow() + "\", must be from 1ms to 1h; write it as 20ms or 1s");
            }
            return new ChaosSpec(in.flag("allowed", false), pace);
        }
    }
}

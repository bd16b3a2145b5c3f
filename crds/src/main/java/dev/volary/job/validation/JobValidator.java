// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.validation;

import dev.volary.job.spec.CheckpointSpec;
import dev.volary.job.spec.ClaimSpec;
import dev.volary.job.spec.ConvergenceSpec;
import dev.volary.job.spec.DaemonSpec;
import dev.volary.job.spec.FailureDetectionSpec;
import dev.volary.job.spec.GroupBound;
import dev.volary.job.spec.InputFileSpec;
import dev.volary.job.spec.InputSpec;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.ObjectStoreSpec;
import dev.volary.job.spec.RestoreSpec;
import dev.volary.job.spec.ResultSpec;
import dev.volary.job.spec.SpecDuration;
import dev.volary.job.spec.SpecPatterns;
import dev.volary.job.spec.VolumeSpec;
import dev.volary.job.spec.WorkerGroupSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rules that a type and a range cannot express. They are the API server's, which has them in CEL beside the fields, in the
 * same messages: {@code RulesTest} compares the two. Rules about a change of a job are the API server's alone.
 */
public final class JobValidator {
    private static final Pattern JOB_NAME = Pattern.compile(SpecPatterns.JOB_NAME);
    private static final Pattern LABEL = Pattern.compile(SpecPatterns.LABEL);
    private static final Pattern MANAGER = Pattern.compile(SpecPatterns.MANAGER);
    private static final Pattern ENDPOINT = Pattern.compile(SpecPatterns.ENDPOINT);
    private static final Pattern BUCKET = Pattern.compile(SpecPatterns.BUCKET);
    private static final Pattern SHA_256 = Pattern.compile(SpecPatterns.SHA_256);
    private static final Pattern DECIMAL = Pattern.compile(SpecPatterns.DECIMAL);
    private static final Pattern ITERATIONS = Pattern.compile(SpecPatterns.ITERATIONS);
    private static final Duration SHORTEST_PACE = Duration.ofMillis(1);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** The heartbeat period of {@code RandomMonitors}. */
    private static final Duration RANDOM_HEARTBEAT = Duration.ofSeconds(5);

    private final List<SpecError> errors = new ArrayList<>();
    private final JobSpec spec;

    private JobValidator(JobSpec spec) {
        this.spec = spec;
    }

    /**
     * Every rule that the job breaks.
     *
     * @param name of the job; empty if it is missing and that was reported
     */
    public static List<SpecError> errors(String name, JobSpec spec) {
        JobValidator validator = new JobValidator(spec);
        if (!name.isEmpty()) {
            validator.checkName(name);
        }
        validator.checkInputs();
        validator.checkBlocks();
        validator.checkDaemons();
        validator.checkWorkerGroups();
        validator.checkSpawners();
        validator.checkConvergence();
        validator.checkFailureDetection();
        validator.checkCheckpoint();
        validator.checkInitialGuess();
        validator.checkResult();
        validator.checkManager();
        validator.checkPace();
        return List.copyOf(validator.errors);
    }

    private void checkName(String name) {
        if (name.length() > SpecPatterns.LONGEST_JOB_NAME
                || !JOB_NAME.matcher(name).matches()) {
            add(
                    "metadata.name",
                    "is \"" + name + "\"; pods and services are named after it: use at most "
                            + SpecPatterns.LONGEST_JOB_NAME
                            + " lower case letters, digits and dashes, beginning with a letter");
        }
    }

    private void checkInputs() {
        for (int i = 0; i < spec.inputs().size(); i++) {
            InputSpec input = spec.inputs().get(i);
            String path = "spec.inputs[" + i + "]";
            checkLabel(path + ".name", input.name());
            checkSource(path, input);
            checkFiles(path, input);
        }
        checkDistinct("spec.inputs", spec.inputs().stream().map(InputSpec::name).toList());
    }

    private void checkSource(String path, InputSpec input) {
        String folder = input.path();
        ClaimSpec claim = input.persistentVolumeClaim();
        ObjectStoreSpec store = input.objectStore();
        long sources = Stream.of(folder, claim, store).filter(Objects::nonNull).count();
        if (sources != 1) {
            addInput(
                    path,
                    input,
                    sources > 1
                            ? "more than one source; keep one of path, persistentVolumeClaim and objectStore"
                            : "no source; give objectStore, persistentVolumeClaim (on a cluster) or path (a local folder)");
        }
        if (folder != null && folder.isBlank()) {
            add(path + ".path", "is blank; name a folder");
        }
        if (claim != null) {
            checkClaim(path + ".persistentVolumeClaim", claim);
        }
        if (store != null) {
            checkStore(path + ".objectStore", store);
        }
    }

    private void checkFiles(String path, InputSpec input) {
        if ((input.objectStore() != null) == input.files().isEmpty()) {
            addInput(
                    path,
                    input,
                    input.files().isEmpty()
                            ? "objectStore, but no files; list name and sha256 of each file to fetch"
                            : "files, but no objectStore to fetch them from; remove files");
        }
        for (int i = 0; i < input.files().size(); i++) {
            InputFileSpec file = input.files().get(i);
            String entry = path + ".files[" + i + "]";
            checkFileName(entry + ".name", file.name());
            checkSha256(entry + ".sha256", file.sha256());
        }
        checkDistinct(
                path + ".files", input.files().stream().map(InputFileSpec::name).toList());
    }

    private void checkFileName(String path, @Nullable String name) {
        if (name != null && leadsOut(name)) {
            add(path, "is \"" + name + "\"; write a path below the prefix, without a / before it and without ..");
        }
    }

    private void checkSha256(String path, @Nullable String checksum) {
        if (checksum != null && !SHA_256.matcher(checksum).matches()) {
            add(path, "is \"" + checksum + "\"; write 64 lower case hexadecimal digits, as sha256sum prints them");
        }
    }

    private void addInput(String path, InputSpec input, String finding) {
        errors.add(
                new SpecError(path, "input \"" + Objects.requireNonNullElse(input.name(), "") + "\" has " + finding));
    }

    private void checkBlocks() {
        Integer blocks = spec.blocks();
        int replicas = spec.daemons().replicas();
        int most = replicas * JobSpec.BLOCKS_PER_DAEMON;
        if (blocks != null && blocks > most) {
            add(
                    "spec.blocks",
                    "is " + blocks + ", but a daemon computes at most " + JobSpec.BLOCKS_PER_DAEMON
                            + " blocks and spec.daemons.replicas is " + replicas + "; lower blocks to " + most
                            + " or raise replicas");
        }
    }

    private void checkDaemons() {
        DaemonSpec daemons = spec.daemons();
        Integer min = daemons.min();
        Integer max = daemons.max();
        if (min != null && min > daemons.replicas()) {
            add(
                    "spec.daemons.min",
                    "is " + min + ", above spec.daemons.replicas, which is " + daemons.replicas()
                            + "; lower min or raise replicas");
        }
        if (max != null && max < daemons.replicas()) {
            add(
                    "spec.daemons.max",
                    "is " + max + ", below spec.daemons.replicas, which is " + daemons.replicas()
                            + "; raise max or lower replicas");
        }
    }

    private void checkWorkerGroups() {
        List<WorkerGroupSpec> groups = spec.workerGroups();
        for (int i = 0; i < groups.size(); i++) {
            checkLabel("spec.workerGroups[" + i + "].name", groups.get(i).name());
        }
        checkDistinct(
                "spec.workerGroups", groups.stream().map(WorkerGroupSpec::name).toList());
        int wanted = spec.daemons().replicas() + spec.daemons().standbys();
        long room = 0;
        for (WorkerGroupSpec group : groups) {
            Integer most = group.maxReplicas();
            if (most == null) {
                return;
            }
            room += most;
        }
        if (!groups.isEmpty() && room < wanted) {
            errors.add(new SpecError(
                    "spec.workerGroups",
                    "spec.workerGroups have room for " + room + " daemons, but spec.daemons asks for " + wanted
                            + ", standbys included; raise a maxReplicas or ask for fewer"));
        }
    }

    private void checkSpawners() {
        Integer given = spec.spawners().replicas();
        int most = spec.daemons().most();
        int needed = GroupBound.fewest(most);
        if (given != null && given < needed) {
            add(
                    "spec.spawners.replicas",
                    "is " + given + ", but one spawner manages at most " + GroupBound.DAEMONS
                            + " daemons and spec.daemons allows " + most + ", standbys included; set it to " + needed
                            + " or leave it out");
        }
    }

    private void checkConvergence() {
        ConvergenceSpec convergence = spec.convergence();
        String path = "spec.convergence.tolerance";
        String tolerance = convergence.tolerance();
        boolean isDecimal = DECIMAL.matcher(tolerance).matches();
        if (!isDecimal || Double.parseDouble(tolerance) <= 0) {
            add(path, "is \"" + tolerance + "\", must be a positive decimal number; write it as \"1e-6\"");
        } else if (convergence.norm() == ConvergenceSpec.Norm.Relative && Double.parseDouble(tolerance) >= 1) {
            add(
                    path,
                    "is \"" + tolerance + "\", must be below 1 in the Relative norm; lower it, or set norm: Absolute");
        }
        if (spec.scheme() == JobSpec.Scheme.Synchronous
                && convergence.detector() == ConvergenceSpec.Detector.TreeVerification) {
            add(
                    "spec.convergence.detector",
                    "is TreeVerification, which is for the scheme Asynchronous; leave it out with Synchronous");
        }
    }

    private void checkFailureDetection() {
        FailureDetectionSpec.Strategy strategy = spec.failureDetection().strategy();
        int watchers = spec.failureDetection().watchers();
        boolean watchesAlone =
                strategy == FailureDetectionSpec.Strategy.Ring || strategy == FailureDetectionSpec.Strategy.Centralised;
        if (watchesAlone && watchers > FailureDetectionSpec.USUAL_WATCHERS) {
            add(
                    "spec.failureDetection.watchers",
                    "is " + watchers + ", but with " + strategy
                            + " one worker watches each member; leave it out, or choose RingWithConfirmation");
        }
        String path = "spec.failureDetection.timeout";
        String timeout = spec.failureDetection().timeout();
        if (timeout == null) {
            return;
        }
        if (!isDuration(timeout, SHORTEST_TIMEOUT)) {
            add(path, "is \"" + timeout + "\", must be a duration from 100ms to 1h; write it as 500ms, 2s or 1m");
        } else if (spec.failureDetection().strategy() == FailureDetectionSpec.Strategy.RandomMonitors
                && SpecDuration.of(path, timeout).compareTo(RANDOM_HEARTBEAT) < 0) {
            add(
                    path,
                    "is " + timeout + ", shorter than the heartbeat period 5s of RandomMonitors; make it 5s or longer,"
                            + " or choose RingWithConfirmation");
        }
    }

    private void checkCheckpoint() {
        CheckpointSpec checkpoint = spec.checkpoint();
        if (!checkpoint.interval().equals(CheckpointSpec.AUTO)
                && !ITERATIONS.matcher(checkpoint.interval()).matches()) {
            add(
                    "spec.checkpoint.interval",
                    "is \"" + checkpoint.interval() + "\"; write Auto, or a number of iterations in quotes");
        }
        Integer spawners = spec.spawners().replicas();
        int others = spec.daemons().replicas()
                + spec.daemons().standbys()
                + (spawners == null ? GroupBound.USUAL : spawners)
                - 1;
        if (checkpoint.copies() > 2 && checkpoint.copies() > others) {
            add(
                    "spec.checkpoint.copies",
                    "is " + checkpoint.copies() + ", but beside its owner a block has only " + others
                            + " workers to be copied to; lower it, or add daemons, standbys or spawners");
        }
        VolumeSpec volume = checkpoint.volume();
        ObjectStoreSpec store = checkpoint.objectStore();
        if (volume != null) {
            checkClaim("spec.checkpoint.volume.persistentVolumeClaim", volume.persistentVolumeClaim());
        }
        if (store != null) {
            checkStore("spec.checkpoint.objectStore", store);
        }
        if (volume != null && store != null) {
            errors.add(
                    new SpecError("spec.checkpoint", "spec.checkpoint has volume and objectStore; keep one of them"));
        }
        if (spec.suspend() && !checkpoint.hasStorage()) {
            add(
                    "spec.suspend",
                    "is true, but there is no storage that the state could go to; give spec.checkpoint.volume or"
                            + " objectStore, which a job must have from its start");
        }
        if (spec.restoreFrom() != null) {
            checkRestore(spec.restoreFrom());
        }
    }

    private void checkRestore(RestoreSpec restore) {
        ClaimSpec claim = restore.persistentVolumeClaim();
        ObjectStoreSpec store = restore.objectStore();
        if ((claim == null) == (store == null)) {
            errors.add(new SpecError(
                    "spec.restoreFrom",
                    "spec.restoreFrom has "
                            + (store != null
                                    ? "persistentVolumeClaim and objectStore; keep one of them"
                                    : "no storage; give persistentVolumeClaim or objectStore")));
        }
        if (claim != null) {
            checkClaim("spec.restoreFrom.persistentVolumeClaim", claim);
        }
        if (store != null) {
            checkStore("spec.restoreFrom.objectStore", store);
        }
    }

    private void checkInitialGuess() {
        String guess = spec.initialGuess();
        if (guess == null) {
            return;
        }
        if (spec.inputs().stream().noneMatch(input -> guess.startsWith(input.name() + ":"))) {
            add(
                    "spec.initialGuess",
                    "is \"" + guess + "\", which begins with the name of no entry of spec.inputs; write it as"
                            + " NAME:FILE.npy or NAME:FOLDER");
        }
        if (spec.restoreFrom() != null) {
            add(
                    "spec.initialGuess",
                    "is \"" + guess + "\", but spec.restoreFrom names a vector to start from too; keep one of them");
        }
    }

    private void checkResult() {
        ResultSpec result = spec.result();
        VolumeSpec volume = result.volume();
        if ((result.destination() == ResultSpec.Destination.Volume) == (volume == null)) {
            add(
                    "spec.result.destination",
                    "is " + result.destination()
                            + (volume == null
                                    ? ", but spec.result.volume is missing; name a claim there"
                                    : ", which uses no volume; remove spec.result.volume or set destination: Volume"));
        }
        if (volume != null) {
            checkClaim("spec.result.volume.persistentVolumeClaim", volume.persistentVolumeClaim());
        }
        ObjectStoreSpec store = result.objectStore();
        if ((result.destination() == ResultSpec.Destination.ObjectStore) == (store == null)) {
            add(
                    "spec.result.destination",
                    "is " + result.destination()
                            + (store == null
                                    ? ", but spec.result.objectStore is missing; name a bucket there"
                                    : ", which uses no object store; remove spec.result.objectStore or set destination:"
                                            + " ObjectStore"));
        }
        if (store != null) {
            checkStore("spec.result.objectStore", store);
        }
    }

    private void checkStore(String path, ObjectStoreSpec store) {
        if (store.endpoint() != null && !ENDPOINT.matcher(store.endpoint()).matches()) {
            add(
                    path + ".endpoint",
                    "is \"" + store.endpoint()
                            + "\"; write it as https://host:port or http://host:port, without a path");
        }
        @Nullable String bucket = store.bucket();
        if (bucket != null && !BUCKET.matcher(bucket).matches()) {
            add(
                    path + ".bucket",
                    "is \"" + bucket
                            + "\"; the name of a bucket has 3 to 63 lower case letters, digits, dots and dashes");
        }
        if (store.prefix() != null && store.prefix().startsWith("/")) {
            add(path + ".prefix", "is \"" + store.prefix() + "\"; write it without a / before it");
        }
    }

    private void checkManager() {
        String manager = spec.managedBy();
        if (manager != null && !MANAGER.matcher(manager).matches()) {
            add("spec.managedBy", "is \"" + manager + "\"; write it as domain/path, such as kueue.x-k8s.io/multikueue");
        }
    }

    private void checkPace() {
        String pace = spec.chaos().pace();
        if (pace != null && !isDuration(pace, SHORTEST_PACE)) {
            add("spec.chaos.pace", "is \"" + pace + "\", must be a duration from 1ms to 1h; write it as 20ms or 1s");
        }
    }

    private void checkClaim(String path, @Nullable ClaimSpec claim) {
        String folder = claim == null ? null : claim.subPath();
        if (folder != null && leadsOut(folder)) {
            add(
                    path + ".subPath",
                    "is \"" + folder + "\"; write a path inside the volume, without a / before it and without ..");
        }
    }

    private static boolean leadsOut(String path) {
        return path.startsWith("/") || List.of(path.split("/")).contains("..");
    }

    private void checkLabel(String path, @Nullable String name) {
        if (name != null && !LABEL.matcher(name).matches()) {
            add(
                    path,
                    "is \"" + name
                            + "\"; use lower case letters, digits and dashes, with a letter or digit at both ends");
        }
    }

    private void checkDistinct(String path, List<String> names) {
        if (new HashSet<>(names).size() < names.size()) {
            errors.add(new SpecError(
                    path,
                    path + " has two entries of one name among "
                            + names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", ", "[", "]"))
                            + "; rename one of them"));
        }
    }

    private static boolean isDuration(String text, Duration least) {
        return SpecDuration.read(text)
                .filter(time -> time.compareTo(least) >= 0 && time.compareTo(LONGEST) <= 0)
                .isPresent();
    }

    private void add(String path, String remainder) {
        errors.add(new SpecError(path, path + " " + remainder));
    }
}

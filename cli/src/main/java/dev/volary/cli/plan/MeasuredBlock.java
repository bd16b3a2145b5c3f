// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.plan;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.cli.local.LocalDeployment;
import dev.volary.cli.local.RunSettings;
import dev.volary.cli.local.WorkerJvm;
import dev.volary.mesh.job.JobDescriptionFile;
import dev.volary.solver.TimeStepping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;

/**
 * What the block of a job that works most has cost in a process of its own, and what follows from it for the job.
 *
 * @param block its number
 * @param work its updates in one iteration, to which those of other blocks are compared
 * @param openSeconds to open it
 * @param iterationSeconds of an iteration on one thread
 * @param iterations that were made
 * @param heapBytes that it occupies
 * @param isSliced whether several threads can share an iteration
 */
public record MeasuredBlock(
        int block,
        double work,
        double openSeconds,
        double iterationSeconds,
        int iterations,
        long heapBytes,
        boolean isSliced) {
    private static final Duration TIME = Duration.ofSeconds(3);

    /**
     * Opens the block in a process like a daemon's and lets it iterate for three seconds.
     *
     * @throws IOException if the process cannot be started, or fails; the message is its own
     */
    public static MeasuredBlock of(ValidatedJob checked, JobPlan plan, WorkerJvm jvm)
            throws IOException, InterruptedException {
        JobPlan.BlockPlan hardest = plan.hardestBlock();
        Path folder = Files.createTempDirectory("volary-plan");
        Path description = folder.resolve("job.json");
        Path output = folder.resolve("measured");
        Path errors = folder.resolve("errors");
        try {
            RunSettings settings = new RunSettings(
                    folder, 1, 0, "", Map.of(), 1, 0, 0, Optional.empty(), Optional.empty(), Optional.empty());
            Files.writeString(
                    description, JobDescriptionFile.write(LocalDeployment.describe(checked, settings, "measured")));
            List<String> command = jvm.measuring(
                    checked,
                    List.of(description.toString(), Integer.toString(hardest.id()), Long.toString(TIME.toMillis())));
            Process process = new ProcessBuilder(command)
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            try {
                if (process.waitFor() != 0) {
                    throw new IOException("block " + hardest.id() + " cannot be measured: "
                            + Files.readString(errors).strip());
                }
            } finally {
                process.destroyForcibly();
            }
            Properties measured = new Properties();
            try (var in = Files.newBufferedReader(output)) {
                measured.load(in);
            }
            return new MeasuredBlock(
                    hardest.id(),
                    hardest.work(),
                    Double.parseDouble(measured.getProperty("openSeconds")),
                    Double.parseDouble(measured.getProperty("iterationSeconds")),
                    Integer.parseInt(measured.getProperty("iterations")),
                    Long.parseLong(measured.getProperty("heapBytes")),
                    Boolean.parseBoolean(measured.getProperty("isSliced")));
        } finally {
            for (Path file : List.of(description, output, errors)) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        }
    }

    /**
     * Predicts how long the job computes: every daemon makes the predicted iterations of its blocks on its cores, and the slowest one
     * counts. Exchanges, snapshots and the start come on top.
     *
     * @param cores of each daemon
     * @return seconds; empty if no iterations are predicted
     */
    public OptionalDouble predictedSeconds(ValidatedJob checked, JobPlan plan, int cores) {
        if (plan.sweeps().isEmpty()) {
            return OptionalDouble.empty();
        }
        int steps = checked.model().timeStepping().map(TimeStepping::steps).orElse(1);
        return OptionalDouble.of(steps * plan.sweeps().getAsDouble() * secondsOfRound(plan, cores));
    }

    /** How long the slowest daemon takes until each of its blocks has iterated once. */
    double secondsOfRound(JobPlan plan, int cores) {
        double[] sums = new double[plan.daemons()];
        double[] longest = new double[plan.daemons()];
        for (JobPlan.BlockPlan each : plan.blocks()) {
            double seconds = iterationSeconds * each.work() / work;
            sums[each.daemon()] += seconds;
            longest[each.daemon()] = Math.max(longest[each.daemon()], seconds);
        }
        double slowest = 0;
        for (int d = 0; d < sums.length; d++) {
            double shared = sums[d] / cores;
            slowest = Math.max(slowest, isSliced ? shared : Math.max(shared, longest[d]));
        }
        return slowest;
    }

    /**
     * Heap for the blocks of the fullest daemon, in bytes: what was measured, and as much as a plan says for others in proportion.
     */
    public long heapOfFullestDaemon(JobPlan plan) {
        long most = Arrays.stream(plan.bytesOfDaemons()).max().orElse(0);
        long own = Math.max(1, plan.blocks().get(block).bytes());
        return Math.round((double) most / own * heapBytes);
    }

    /** The blocks that keep all cores of all daemons busy, if the job has fewer. */
    public Optional<Integer> betterBlocks(JobPlan plan, int cores) {
        int wanted = plan.daemons() * cores;
        return isSliced || plan.blocks().size() >= wanted ? Optional.empty() : Optional.of(wanted);
    }

    /** As a JSON tree, with the predictions. */
    public Map<String, Object> json(ValidatedJob checked, JobPlan plan, int cores) {
        OptionalDouble seconds = predictedSeconds(checked, plan, cores);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("block", block);
        json.put("openSeconds", openSeconds);
        json.put("iterationSeconds", iterationSeconds);
        json.put("iterations", iterations);
        json.put("heapBytes", heapBytes);
        json.put("cores", cores);
        json.put("predictedSeconds", seconds.isPresent() ? seconds.getAsDouble() : Optional.empty());
        json.put("predictedHeapBytes", heapOfFullestDaemon(plan));
        json.put("betterBlocks", betterBlocks(plan, cores));
        return json;
    }
}

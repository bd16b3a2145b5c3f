// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Whether workers that are gone leave something behind: kills one daemon after the other, each once the blocks of the one before
 * iterate again, and samples memory, threads and handles of the processes that stay, and the connections that the job opens.
 */
public final class Replacements {
    private static final int DAEMONS = 4;
    private static final double START_SECONDS = 60;
    private static final double REPLACED_SECONDS = 120;
    private static final int SAMPLE_EVERY = 10;
    /** What the last fifth may have more than the second one. */
    private static final double FLAT = 1.1;
    /** The daemon that is never killed. */
    private static final String SPARED = "daemon-0";

    private Replacements() {}

    /** Takes the number of replacements (1000), a seed (1), and the folder of {@code replacements.csv} and the plot (docs/images). */
    public static void main(String[] args) throws IOException, InterruptedException {
        int replacements = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        SplittableRandom random = new SplittableRandom(args.length > 1 ? Long.parseLong(args[1]) : 1);
        Path folder = Path.of(args.length > 2 ? args[2] : "docs/images");
        List<ProcessSample> samples = new ArrayList<>();
        long start = System.nanoTime();
        try (StartedJob job =
                StartedJob.start(manifest(), Map.of(), List.of("--no-picture", "--pace", "50ms").stream())) {
            job.awaitServing(DAEMONS, START_SECONDS);
            for (int done = 0; done < replacements; done++) {
                if (done % SAMPLE_EVERY == 0) {
                    samples.addAll(sample(job, done, start));
                }
                replace(job, random);
                if (done % 100 == 99) {
                    System.out.printf(
                            Locale.ROOT, "%d replacements in %.0f s%n", done + 1, (System.nanoTime() - start) / 1e9);
                }
            }
            samples.addAll(sample(job, replacements, start));
        }
        Files.createDirectories(folder);
        Files.write(folder.resolve("replacements.csv"), ProcessSample.csv(samples));
        Files.write(folder.resolve("replacements.svg"), ReplacementPlot.svg(samples));
        System.out.println(
                "written: " + folder.resolve("replacements.csv") + ", " + folder.resolve("replacements.svg"));
        judge(samples, replacements);
    }

    private static String manifest() {
        return """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: replacements}
                spec:
                  problem: {type: heat2d, parameters: {points: 255, boundary: Series, method: PointJacobi}}
                  daemons: {replicas: %d, standbys: 2}
                  spawners: {replicas: 2}
                  convergence: {tolerance: "1e-10"}
                """.formatted(DAEMONS);
    }

    /** Kills a daemon that has blocks, and waits until all of these iterate elsewhere. */
    private static void replace(StartedJob job, SplittableRandom random) throws InterruptedException {
        if (!job.await(() -> !victims(job).isEmpty(), REPLACED_SECONDS)) {
            throw new IllegalStateException("only " + SPARED + " has blocks after " + REPLACED_SECONDS + " s");
        }
        List<JsonNode> victims = victims(job);
        JsonNode victim = victims.get(random.nextInt(victims.size()));
        Map<Integer, Long> before = new HashMap<>();
        victim.path("blocks").forEach(block -> before.put(block.asInt(), recoveries(job, block.asInt())));
        job.kill(victim.path("name").asText());
        if (!job.await(
                () -> before.entrySet().stream().allMatch(block -> recoveries(job, block.getKey()) > block.getValue()),
                REPLACED_SECONDS)) {
            throw new IllegalStateException(
                    victim.path("name").asText() + " is not replaced after " + REPLACED_SECONDS + " s");
        }
    }

    private static List<JsonNode> victims(StartedJob job) {
        return job.serving().stream()
                .filter(row -> !row.path("name").asText().equals(SPARED))
                .toList();
    }

    private static long recoveries(StartedJob job, int block) {
        return job.events("block-recovered").stream()
                .filter(details -> details.path("block").asInt() == block)
                .count();
    }

    private static List<ProcessSample> sample(StartedJob job, int replacements, long start)
            throws IOException, InterruptedException {
        double seconds = (System.nanoTime() - start) / 1e9;
        Map<String, ProcessHandle> processes = new TreeMap<>(job.workers());
        processes.keySet().removeIf(name -> !name.startsWith("spawner") && !name.equals(SPARED));
        List<ProcessSample> samples = new ArrayList<>();
        for (Map.Entry<String, ProcessHandle> process : processes.entrySet()) {
            samples.add(ProcessSample.of(process.getKey(), process.getValue().pid(), replacements, seconds));
        }
        samples.add(ProcessSample.of("volary run", job.pid(), replacements, seconds));
        return samples;
    }

    private static void judge(List<ProcessSample> samples, int replacements) {
        System.out.println("| process | measured | second fifth | last fifth | ratio |");
        System.out.println("|---|---|---|---|---|");
        boolean flat = true;
        for (String process : ProcessSample.processes(samples)) {
            for (ProcessSample.Measured measured : ProcessSample.Measured.values()) {
                double second = measured.mean(samples, process, 0.2 * replacements, 0.4 * replacements);
                double last = measured.mean(samples, process, 0.8 * replacements, replacements);
                System.out.printf(
                        Locale.ROOT,
                        "| %s | %s | %.1f | %.1f | %.2f |%n",
                        process,
                        measured.title(),
                        second,
                        last,
                        last / second);
                flat &= last <= FLAT * second;
            }
        }
        double before = ProcessSample.openedEach(samples, 0.2 * replacements, 0.4 * replacements);
        double after = ProcessSample.openedEach(samples, 0.8 * replacements, replacements);
        System.out.printf(
                Locale.ROOT,
                "| whole job | connections opened, a replacement | %.1f | %.1f | %.2f |%n",
                before,
                after,
                after / before);
        flat &= after <= FLAT * before;
        System.out.printf(
                Locale.ROOT,
                "%d replacements, nothing grows by more than %.0f %%: %s%n",
                replacements,
                100 * (FLAT - 1),
                flat ? "reached" : "MISSED");
    }
}

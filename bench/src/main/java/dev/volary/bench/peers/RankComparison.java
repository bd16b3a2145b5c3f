// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.Folders;
import dev.volary.bench.peers.Contest.Contender;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** {@code pagerank} against the same sweeps in one process in C, in core-seconds. */
final class RankComparison implements Comparison {
    private static final double TOLERANCE = 1e-10;
    private static final String IN_C = "C, one process";
    private static final String NAME = "links.mtx.gz";
    private static final int PAGES = 300_000;
    private static final int PAGES_OF_TRIAL = 20_000;
    /** Links of a page in the mean, and the share of those that are copied from an older page. */
    private static final int LINKS = 4;

    private static final double COPIED = 0.5;
    private static final int SEED = 1;

    @Override
    public Section measure(PeerOptions options, Toolchain tools) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("volary-peers");
        Path packed = folder.resolve(NAME);
        Path plain = folder.resolve("links.mtx");
        try {
            String graph = provide(options, packed);
            unpack(packed, plain);
            Section section = new Section("PageRank").text("""
                    %s. Damping 0.85, to 1e-10: the sum of the absolute residuals, relative to 1 − 0.85. C computes in one process. Volary has
                    two blocks, on one daemon with two threads or on two daemons.""".formatted(graph));
            List<Contender> contenders = new ArrayList<>();
            contenders.add(new Contender(SolverTable.VOLARY, job(1, folder)::run));
            contenders.add(new Contender(SolverTable.TWO_DAEMONS, job(VolaryJob.CORES, folder)::run));
            Optional<Path> inC = tools.c("pagerank.c");
            inC.ifPresent(program -> contenders.add(new Contender(
                    IN_C, () -> PeerProgram.alone(program, plain.toString(), "0.85", Double.toString(TOLERANCE)))));
            Contest contest = Contest.hold("pagerank", options.rounds(), contenders);
            SolverTable.add(section, contest);
            double ratio = VolaryJob.CORES
                    * contest.median(SolverTable.VOLARY, PeerResult::solveSeconds)
                    / contest.median(IN_C, PeerResult::solveSeconds);
            return section.text(
                    "Core-seconds of the solve, Volary on one daemon / C: **%s**.".formatted(Section.number(ratio)));
        } finally {
            Folders.delete(folder);
        }
    }

    private static VolaryJob job(int daemons, Path folder) {
        return new VolaryJob(
                "type: pagerank, parameters: {graph: \"in:" + NAME + "\", damping: \"0.85\"}",
                daemons,
                VolaryJob.CORES,
                TOLERANCE,
                0,
                folder);
    }

    /** Puts the graph where both programs find it; returns what it is. */
    private static String provide(PeerOptions options, Path target) throws IOException {
        Path given = options.graph();
        if (given != null) {
            Files.copy(given, target);
            return "The graph `" + given.getFileName() + "`";
        }
        int pages = options.isTrial() ? PAGES_OF_TRIAL : PAGES;
        List<String> links = copyingModel(pages);
        try (Writer out = new BufferedWriter(new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(target)), StandardCharsets.US_ASCII))) {
            out.write("%%MatrixMarket matrix coordinate pattern general\n" + pages + " " + pages + " " + links.size()
                    + "\n");
            for (String link : links) {
                out.write(link);
            }
        }
        return "A graph of %d pages and %d links, made by a copying model (`--graph` takes a real one)"
                .formatted(pages, links.size());
    }

    /** Links of each page to older ones: some are copied from one of them, so that few pages are linked to by many. */
    private static List<String> copyingModel(int pages) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> lines = new ArrayList<>();
        int[][] links = new int[pages][];
        links[0] = new int[0];
        for (int page = 1; page < pages; page++) {
            int[] model = links[random.nextInt(page)];
            int count = random.nextInt(2 * LINKS + 1);
            int[] chosen = new int[count];
            for (int k = 0; k < count; k++) {
                boolean copies = k < model.length && random.nextDouble() < COPIED;
                chosen[k] = copies ? model[k] : random.nextInt(page);
            }
            links[page] = Arrays.stream(chosen).distinct().toArray();
            for (int target : links[page]) {
                lines.add((page + 1) + " " + (target + 1) + "\n");
            }
        }
        return lines;
    }

    private static void unpack(Path packed, Path plain) throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                        new GZIPInputStream(Files.newInputStream(Objects.requireNonNull(packed))),
                        StandardCharsets.US_ASCII));
                Writer out = Files.newBufferedWriter(plain, StandardCharsets.US_ASCII)) {
            in.transferTo(out);
        }
    }
}

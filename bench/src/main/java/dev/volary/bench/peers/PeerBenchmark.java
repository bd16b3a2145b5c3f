// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.peers.PeerOptions.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Volary against its peers on the same problems, alternately in one run, and a page about it: {@code bench/run peers}. Peers that
 * are not installed are named, and the others are measured.
 */
public final class PeerBenchmark {
    private static final int BAD_INPUT = 2;

    private PeerBenchmark() {}

    /** Takes the options that {@code --help} lists. */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> arguments = List.of(args);
        if (arguments.contains("--help") || arguments.contains("-h")) {
            System.out.println(PeerOptions.USAGE);
            return;
        }
        PeerOptions options;
        try {
            options = PeerOptions.parse(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.err.println(PeerOptions.USAGE);
            System.exit(BAD_INPUT);
            return;
        }
        Toolchain tools = new Toolchain();
        List<List<String>> facts = new ArrayList<>(MachineFacts.read(tools.versions()));
        double busy = MachineFacts.busyCores();
        facts.add(List.of("cores used by other programs, before", Section.number(busy)));
        facts.add(List.of("runs", options.rounds() + " of each program"));
        String command =
                String.join(" ", "bench/run peers", String.join(" ", arguments)).strip();
        List<Section> sections = new ArrayList<>();
        for (Topic topic : options.topics()) {
            sections.add(comparison(topic).measure(options, tools));
            // A run that is interrupted leaves what it has measured.
            PerformancePage.write(
                    options.page(), PerformancePage.lines(command, facts, busy, tools.missing(), sections), sections);
            System.out.println("wrote " + options.page());
        }
    }

    private static Comparison comparison(Topic topic) {
        return switch (topic) {
            case POISSON -> new PoissonComparison();
            case OBSTACLE -> new ObstacleComparison();
            case RELAXATION -> new RelaxationComparison();
            case KILLS -> new KillComparison();
            case MATRICES -> new MatrixComparison();
            case PAGERANK -> new RankComparison();
            case ROOFLINE -> new RooflineComparison();
        };
    }
}

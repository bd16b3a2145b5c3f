// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import dev.volary.bench.peers.PeerOptions.Topic;
import java.io.IOException;
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
        double busy = MachineFacts.busyCores();
        PerformancePage page =
                PerformancePage.open(options.page(), MachineFacts.read(tools.versions()), tools.missing());
        String command = PeerOptions.command(arguments);
        for (Topic topic : options.topics()) {
            Section section = comparison(topic).measure(options, tools);
            page.put(section, command, options.rounds(), busy);
            // A run that is interrupted leaves what it has measured.
            page.write(options.page(), section);
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

// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@code bench/run peers} measures and where its page goes.
 *
 * @param topics sections of the page
 * @param sizes unknowns along each edge of the cubes; each plus one is a power of two
 * @param rounds runs of each program
 * @param relaxationPoints unknowns along each edge for point relaxation, with and without kills
 * @param secondsBetweenKills from one SIGKILL to the next
 * @param graph links for PageRank as a Matrix Market file, packed by gzip; null for one that is made
 * @param page the file to write; its pictures go to {@code ../images} beside it
 */
record PeerOptions(
        Set<Topic> topics,
        List<Integer> sizes,
        int rounds,
        int relaxationPoints,
        double secondsBetweenKills,
        @Nullable Path graph,
        Path page) {

    /** Up to this size nothing is meant to be measured: the programs are tried. */
    private static final int TRIAL_POINTS = 31;

    private static final int RELAXATION_POINTS = 159;

    static final String USAGE = """
            usage: bench/run peers [options]
              --only LIST        topics: poisson, obstacle, relaxation, kills, matrices, pagerank, roofline; default: all
              --sizes LIST       points along each edge of the cubes, powers of two less one; default: 127,255
              --rounds N         runs of each program; default: 5
              --relaxation N     points along each edge for point relaxation and kills; default: 159, or 31 with --sizes 31
              --every SECONDS    time from one kill to the next; default: 10
              --graph FILE       links for PageRank, *.mtx.gz; default: a graph that is made
              --page FILE        page to write; default: docs/reference/performance.md""";

    /** A section of the page. */
    enum Topic {
        POISSON,
        OBSTACLE,
        RELAXATION,
        KILLS,
        MATRICES,
        PAGERANK,
        ROOFLINE
    }

    /** Whether the grids are too small to measure anything. */
    boolean isTrial() {
        return sizes.stream().allMatch(n -> n <= TRIAL_POINTS);
    }

    /** The command of these arguments, without the page that it writes. */
    static String command(List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("bench/run", "peers"));
        words.addAll(arguments);
        int page = words.indexOf("--page");
        if (page >= 0) {
            words.subList(page, Math.min(page + 2, words.size())).clear();
        }
        return String.join(" ", words);
    }

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException with what is wrong, if it is
     */
    static PeerOptions parse(List<String> arguments) {
        Set<Topic> topics = EnumSet.allOf(Topic.class);
        List<Integer> sizes = List.of(127, 255);
        int rounds = 5;
        int relaxation = 0;
        double every = 10;
        Path graph = null;
        Path page = Path.of("docs", "reference", "performance.md");
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " has no value");
            }
            String value = arguments.get(i + 1);
            switch (name) {
                case "--only" -> topics = topics(value);
                case "--sizes" -> sizes = sizes(value);
                case "--rounds" -> rounds = positive(name, value);
                case "--relaxation" -> relaxation = positive(name, value);
                case "--every" -> every = positive(name, value);
                case "--graph" -> graph = Path.of(value).toAbsolutePath();
                case "--page" -> page = Path.of(value);
                default -> throw new IllegalArgumentException(name + " is no option");
            }
        }
        PeerOptions options = new PeerOptions(topics, sizes, rounds, relaxation, every, graph, page);
        int points = relaxation > 0 ? relaxation : options.isTrial() ? TRIAL_POINTS : RELAXATION_POINTS;
        return new PeerOptions(topics, sizes, rounds, points, every, graph, page);
    }

    private static Set<Topic> topics(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(name -> Arrays.stream(Topic.values())
                        .filter(topic -> topic.name().equals(name.toUpperCase(Locale.ROOT)))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("--only names no topic " + name)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Topic.class)));
    }

    private static List<Integer> sizes(String list) {
        List<Integer> sizes = new ArrayList<>();
        for (String value : list.split(",", -1)) {
            int n = positive("--sizes", value);
            if (n < 7 || Integer.bitCount(n + 1) != 1) {
                throw new IllegalArgumentException("--sizes has " + n
                        + "; it must be a power of two less one, at least 7, for all peers to coarsen it");
            }
            sizes.add(n);
        }
        return List.copyOf(sizes);
    }

    private static int positive(String name, String value) {
        try {
            int number = Integer.parseInt(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException none) {
            // The same message as for a number that is too small.
        }
        throw new IllegalArgumentException(name + " is " + value + "; it must be a number above zero");
    }
}

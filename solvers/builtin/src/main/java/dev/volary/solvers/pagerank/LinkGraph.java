// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

import dev.volary.solvers.linear.matrix.SparseMatrix;
import java.util.Arrays;

/**
 * The equation {@code x = d P x + (1 − d)/n} of a graph with n pages, d the damping. Column j of P spreads the rank of page j
 * over the pages that it links to, in proportion to the weights of its links; the column of a page without links is zero.
 * Immutable.
 */
final class LinkGraph {
    private final SparseMatrix outgoing;
    private final SparseMatrix incoming;
    private final double[] share;
    private final double damping;
    private final boolean weighted;
    private final int mostLinks;

    private LinkGraph(SparseMatrix outgoing, double[] share, double damping, boolean weighted, int mostLinks) {
        this.outgoing = outgoing;
        this.incoming = outgoing.transpose();
        this.share = share;
        this.damping = damping;
        this.weighted = weighted;
        this.mostLinks = mostLinks;
    }

    /**
     * @param outgoing row i holds the links of page i with their weights, all positive
     * @param damping between 0 and 1
     */
    static LinkGraph of(SparseMatrix outgoing, double damping) {
        int n = outgoing.size();
        double[] share = new double[n];
        int mostLinks = 0;
        for (int page = 0; page < n; page++) {
            int start = outgoing.rowStart()[page];
            int end = outgoing.rowStart()[page + 1];
            double weight = 0;
            for (int k = start; k < end; k++) {
                weight += outgoing.values()[k];
            }
            share[page] = end > start ? damping / weight : 0;
            mostLinks = Math.max(mostLinks, end - start);
        }
        boolean weighted = Arrays.stream(outgoing.values()).anyMatch(weight -> weight != 1);
        return new LinkGraph(outgoing, share, damping, weighted, mostLinks);
    }

    /** Number of pages. */
    int pages() {
        return share.length;
    }

    /** Row i holds the links of page i. */
    SparseMatrix outgoing() {
        return outgoing;
    }

    /** Row i holds the links to page i. */
    SparseMatrix incoming() {
        return incoming;
    }

    /** Whether links have weights other than 1. */
    boolean weighted() {
        return weighted;
    }

    /** What page {@code page} passes on of a rank of 1 over a link of weight 1: d / Σ weights; 0 if it has no link. */
    double share(int page) {
        return share[page];
    }

    double damping() {
        return damping;
    }

    /** (1 − d)/n, the rank of a page without incoming links. */
    double teleport() {
        return (1 - damping) / pages();
    }

    /**
     * Roundings that a term of a row's sum of {@code links} terms has seen at most, the subtraction of the page's own rank
     * included: four of the share, its product with the rank and the teleport, and with weights their sum and one product.
     */
    int roundings(int links) {
        return links + 1 + (weighted ? 5 + mostLinks : 4);
    }

    /** Lower bounds of all ranks: some sweeps from zero, which rise towards the solution. */
    double[] lowerBounds(int sweeps) {
        double[] ranks = new double[pages()];
        for (int sweep = 0; sweep < sweeps; sweep++) {
            for (int page = 0; page < ranks.length; page++) {
                double rank = teleport();
                for (int k = incoming.rowStart()[page]; k < incoming.rowStart()[page + 1]; k++) {
                    int source = incoming.columns()[k];
                    rank += incoming.values()[k] * share[source] * ranks[source];
                }
                ranks[page] = rank;
            }
        }
        return ranks;
    }
}

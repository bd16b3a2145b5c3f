// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.pagerank;

import dev.volary.solvers.linear.matrix.SparseMatrix;

/**
 * Cuts the pages into blocks of about equal work with few links between them, in time proportional to the links. It starts with
 * ranges of pages, which a crawl numbers site by site, and visits all pages some times: each moves to the block to which most
 * of its links lead, weighted by the room that the block has left (I. Stanton, G. Kliot: Streaming graph partitioning, KDD
 * 2012; J. Nishimura, J. Ugander: Restreaming graph partitioning, KDD 2013). Deterministic; no block is ever empty.
 *
 * <p>A multilevel partition splits pages with many links badly, as such a page outweighs what is around it.
 */
final class LinkPartition {
    private static final int VISITS = 8;

    /** What a page costs in a sweep, in links. */
    private static final int LINKS_PER_PAGE = 2;

    /** Allowed work of a block, as a multiple of its fair share. */
    private static final double MOST_WORK = 1.05;

    private final SparseMatrix outgoing;
    private final SparseMatrix incoming;
    private final int[] owner;
    private final long[] work;
    private final int[] pages;
    private final double room;

    /** Links of the visited page by the block they lead to, and the blocks where that is not zero. */
    private final int[] links;

    private final int[] linked;

    private LinkPartition(LinkGraph graph, int blocks) {
        this.outgoing = graph.outgoing();
        this.incoming = graph.incoming();
        this.owner = new int[graph.pages()];
        this.work = new long[blocks];
        this.pages = new int[blocks];
        this.links = new int[blocks];
        this.linked = new int[blocks];
        this.room = MOST_WORK * totalWork() / blocks;
    }

    /**
     * The block of each page.
     *
     * @param blocks from 1 to the number of pages
     */
    static int[] of(LinkGraph graph, int blocks) {
        LinkPartition partition = new LinkPartition(graph, blocks);
        partition.cutIntoRanges();
        for (int visit = 0; visit < VISITS && blocks > 1; visit++) {
            for (int page = 0; page < graph.pages(); page++) {
                partition.visit(page);
            }
        }
        return partition.owner;
    }

    private long totalWork() {
        return incoming.entries() + (long) LINKS_PER_PAGE * owner.length;
    }

    private int work(int page) {
        return length(incoming, page) + LINKS_PER_PAGE;
    }

    private static int length(SparseMatrix matrix, int row) {
        return matrix.rowStart()[row + 1] - matrix.rowStart()[row];
    }

    private void cutIntoRanges() {
        double fair = (double) totalWork() / work.length;
        double before = 0;
        int block = 0;
        for (int page = 0; page < owner.length; page++) {
            boolean full = pages[block] > 0 && before >= (block + 1) * fair && block < work.length - 1;
            boolean eachPageNeeded = pages[block] > 0 && owner.length - page < work.length - block;
            if (full || eachPageNeeded) {
                block++;
            }
            owner[page] = block;
            pages[block]++;
            work[block] += work(page);
            before += work(page);
        }
    }

    private void visit(int page) {
        int from = owner[page];
        if (pages[from] == 1) {
            return;
        }
        int count = countLinks(outgoing, page, 0);
        count = countLinks(incoming, page, count);
        int cost = work(page);
        int best = from;
        double most = links[from] * (1 - (work[from] - cost) / room);
        for (int k = 0; k < count; k++) {
            int block = linked[k];
            double score = links[block] * (1 - work[block] / room);
            if (block != from && work[block] + cost <= room && score > most) {
                best = block;
                most = score;
            }
        }
        for (int k = 0; k < count; k++) {
            links[linked[k]] = 0;
        }
        if (best != from) {
            owner[page] = best;
            pages[from]--;
            pages[best]++;
            work[from] -= cost;
            work[best] += cost;
        }
    }

    private int countLinks(SparseMatrix matrix, int page, int count) {
        int end = count;
        for (int k = matrix.rowStart()[page]; k < matrix.rowStart()[page + 1]; k++) {
            int block = owner[matrix.columns()[k]];
            if (links[block]++ == 0) {
                linked[end++] = block;
            }
        }
        return end;
    }
}

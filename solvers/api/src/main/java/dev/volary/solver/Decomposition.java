// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.ArrayList;
import java.util.List;

/**
 * How the unknowns are cut into blocks, and what each block reads from the others. Immutable; finding the edges of one block
 * takes time proportional to their number.
 */
public final class Decomposition {
    private final Shape unknowns;
    private final List<Subdomain> parts;
    private final List<Edge> edges;
    private final List<List<Edge>> incoming;
    private final List<List<Edge>> outgoing;

    /**
     * @param unknowns extents of the whole problem
     * @param parts one part for each block; {@code parts.get(i).id() == i}; the cores cover every unknown exactly once
     * @param edges what is read across blocks, at most one edge for an ordered pair
     * @throws IllegalArgumentException if a part is not at the index of its id, or an edge names no part
     */
    public Decomposition(Shape unknowns, List<Subdomain> parts, List<Edge> edges) {
        this.unknowns = unknowns;
        this.parts = List.copyOf(parts);
        this.edges = List.copyOf(edges);
        for (int i = 0; i < this.parts.size(); i++) {
            if (this.parts.get(i).id() != i) {
                throw new IllegalArgumentException(
                        "part " + i + " has id " + this.parts.get(i).id());
            }
        }
        List<List<Edge>> ending = emptyLists(this.parts.size());
        List<List<Edge>> starting = emptyLists(this.parts.size());
        for (Edge edge : this.edges) {
            if (!names(edge.from()) || !names(edge.to()) || edge.from() == edge.to()) {
                throw new IllegalArgumentException("edge from " + edge.from() + " to " + edge.to()
                        + " does not join two of the " + this.parts.size() + " parts");
            }
            ending.get(edge.to()).add(edge);
            starting.get(edge.from()).add(edge);
        }
        ending.replaceAll(List::copyOf);
        starting.replaceAll(List::copyOf);
        incoming = ending;
        outgoing = starting;
    }

    private boolean names(int id) {
        return id >= 0 && id < parts.size();
    }

    private static List<List<Edge>> emptyLists(int count) {
        List<List<Edge>> lists = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>(6));
        }
        return lists;
    }

    /** Extents of the whole problem. */
    public Shape unknowns() {
        return unknowns;
    }

    /** One part for each block, at the index of its id. */
    public List<Subdomain> parts() {
        return parts;
    }

    /** What is read across blocks. */
    public List<Edge> edges() {
        return edges;
    }

    /** Values in the state of each block, at the index of its id: those of its core and of the halos that it reads. */
    public long[] stateSizes() {
        long[] values = new long[parts.size()];
        parts.forEach(part -> values[part.id()] += part.core().size());
        edges.forEach(edge -> values[edge.to()] += edge.haloSize());
        return values;
    }

    /** Number of blocks. */
    public int blocks() {
        return parts.size();
    }

    /** The edges that end at {@code block}, in the order in which its {@link Halos} are numbered. */
    public List<Edge> incoming(int block) {
        return incoming.get(block);
    }

    /** The edges that start at {@code block}. */
    public List<Edge> outgoing(int block) {
        return outgoing.get(block);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Decomposition other
                && unknowns.equals(other.unknowns)
                && parts.equals(other.parts)
                && edges.equals(other.edges);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * unknowns.hashCode() + parts.hashCode()) + edges.hashCode();
    }

    @Override
    public String toString() {
        return unknowns + " in " + parts.size() + " blocks with " + edges.size() + " edges";
    }
}

package dev.volary.solver;

import java.util.ArrayList;
import java.util.List;

/**
 * How the unknowns are cut into blocks, and what each block reads from the others.
 *
 * @param unknowns extents of the whole problem
 * @param parts one part for each block; {@code parts.get(i).id() == i}; the cores cover every unknown exactly once
 * @param edges what is read across blocks, at most one edge for an ordered pair
 */
public record Decomposition(Shape unknowns, List<Part> parts, List<Edge> edges) {

    public Decomposition {
        parts = List.copyOf(parts);
        edges = List.copyOf(edges);
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).id() != i) {
                throw new IllegalArgumentException(
                        "part " + i + " has id " + parts.get(i).id());
            }
        }
    }

    /** Number of blocks. */
    public int blocks() {
        return parts.size();
    }

    /** The edges that end at {@code block}, in the order in which its {@link Halos} are numbered. */
    public List<Edge> incoming(int block) {
        List<Edge> incoming = new ArrayList<>();
        for (Edge edge : edges) {
            if (edge.to() == block) {
                incoming.add(edge);
            }
        }
        return incoming;
    }

    /** The edges that start at {@code block}. */
    public List<Edge> outgoing(int block) {
        List<Edge> outgoing = new ArrayList<>();
        for (Edge edge : edges) {
            if (edge.from() == block) {
                outgoing.add(edge);
            }
        }
        return outgoing;
    }
}

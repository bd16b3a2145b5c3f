package dev.volary.checkpoint.replica;

import dev.volary.protocol.Holder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which members hold the slots of a block: each as far from the owner as possible, then as far from the other slots as
 * possible. A holder stays while no candidate is farther away, so that a change of membership moves as little as it can;
 * among equals a hash of (block, member) spreads the blocks. Pure.
 */
public final class Placement {
    private Placement() {}

    /**
     * Chooses the holders.
     *
     * @param previous holders of the slots until now, in order; may be empty
     * @param live candidates; the owner among them is passed over
     * @return min(k, others) holders, slot by slot
     */
    public static List<Holder> choose(int block, Holder owner, List<Holder> previous, List<Holder> live, int k) {
        List<Holder> candidates = new ArrayList<>(
                live.stream().filter(h -> !h.id().equals(owner.id())).toList());
        List<Holder> chosen = new ArrayList<>();
        int slots = Math.min(k, candidates.size());
        for (int slot = 0; slot < slots; slot++) {
            List<Holder> others = List.copyOf(chosen);
            Holder before = slot < previous.size() ? previous.get(slot) : owner;
            Holder best = candidates.stream()
                    .max(Comparator.comparingInt((Holder h) -> h.distance(owner))
                            .thenComparingInt(h -> apart(h, others))
                            .thenComparing(h -> h.id().equals(before.id()))
                            .thenComparing(h -> !held(h, previous)) // leave it to its own slot
                            .thenComparingLong(h -> mix(block, h))
                            .thenComparing(Holder::id))
                    .orElseThrow();
            chosen.add(best);
            candidates.remove(best);
        }
        return chosen;
    }

    private static int apart(Holder candidate, List<Holder> chosen) {
        return chosen.stream().mapToInt(candidate::distance).min().orElse(0);
    }

    private static boolean held(Holder candidate, List<Holder> previous) {
        return previous.stream().anyMatch(p -> p.id().equals(candidate.id()));
    }

    /** Finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
    private static long mix(int block, Holder holder) {
        long z = holder.id().value() + block * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}

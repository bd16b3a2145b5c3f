// SPDX-License-Identifier: Apache-2.0
package dev.volary.backup.replica;

import dev.volary.protocol.model.BackupHolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which members hold the slots of a block: each as far from the owner as possible, then as far from the other slots as
 * possible. A holder stays while no candidate is farther away, so that a change of membership moves as little as it can;
 * among equals a hash of (block, member) spreads the blocks. Pure.
 */
public final class ReplicaPlacement {
    private ReplicaPlacement() {}

    /**
     * Chooses the holders.
     *
     * @param previous holders of the slots until now, in order; may be empty
     * @param live candidates; the owner among them is skipped
     * @return min(k, others) holders, slot by slot
     */
    public static List<BackupHolder> choose(
            int block, BackupHolder owner, List<BackupHolder> previous, List<BackupHolder> live, int k) {
        List<BackupHolder> candidates = new ArrayList<>(
                live.stream().filter(h -> !h.id().equals(owner.id())).toList());
        List<BackupHolder> chosen = new ArrayList<>();
        int slots = Math.min(k, candidates.size());
        for (int slot = 0; slot < slots; slot++) {
            List<BackupHolder> others = List.copyOf(chosen);
            BackupHolder before = slot < previous.size() ? previous.get(slot) : owner;
            BackupHolder best = candidates.stream()
                    .max(Comparator.comparingInt((BackupHolder h) -> h.distance(owner))
                            .thenComparingInt(h -> apart(h, others))
                            .thenComparing(h -> h.id().equals(before.id()))
                            .thenComparing(h -> !held(h, previous)) // leave it to its own slot
                            .thenComparingLong(h -> mix(block, h))
                            .thenComparing(BackupHolder::id))
                    .orElseThrow();
            chosen.add(best);
            candidates.remove(best);
        }
        return chosen;
    }

    private static int apart(BackupHolder candidate, List<BackupHolder> chosen) {
        return chosen.stream().mapToInt(candidate::distance).min().orElse(0);
    }

    private static boolean held(BackupHolder candidate, List<BackupHolder> previous) {
        return previous.stream().anyMatch(p -> p.id().equals(candidate.id()));
    }

    /** Finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
    private static long mix(int block, BackupHolder holder) {
        long z = holder.id().value() + block * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}

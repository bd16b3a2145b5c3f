package dev.volary.simulator;

import dev.volary.protocol.HaloKey;
import dev.volary.protocol.NodeId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Backups of blocks, each in the memory of another daemon: they die with it. */
final class Holders {
    private static final Comparator<Backup> BY_AGE = Comparator.comparing(Backup::key);

    /** A block's state. */
    static final class Backup {
        private final int block;
        private final int slot;
        private final HaloKey key;
        private final double[] core;
        private final double[][] halos;
        private final byte[] saved;
        private final NodeId holder;

        Backup(int block, int slot, HaloKey key, double[] core, double[][] halos, byte[] saved, NodeId holder) {
            this.block = block;
            this.slot = slot;
            this.key = key;
            this.core = core;
            this.halos = halos;
            this.saved = saved;
            this.holder = holder;
        }

        int slot() {
            return slot;
        }

        HaloKey key() {
            return key;
        }

        double[] core() {
            return core;
        }

        double[][] halos() {
            return halos;
        }

        byte[] saved() {
            return saved;
        }

        NodeId holder() {
            return holder;
        }
    }

    private record Place(int block, int slot) {}

    /** Names one of the copies of a checkpoint. */
    private record Copy(int block, int slot, NodeId holder) {}

    private final Map<Copy, Backup> generations = new LinkedHashMap<>();

    private final TreeMap<Place, Backup> backups =
            new TreeMap<>(Comparator.comparingInt(Place::block).thenComparingInt(Place::slot));

    /** Takes a backup, if the rule allows it; the judge sees what was there before. */
    boolean put(Backup backup, Wiring rule, Judge judge) {
        Optional<HaloKey> newest = newest(backup.block).map(Backup::key);
        boolean keeps = rule.keeps(newest, backup.key);
        if (keeps) {
            judge.kept(backup.block, backup.key, newest);
            backups.put(new Place(backup.block, backup.slot), backup);
        }
        return keeps;
    }

    /** Takes a copy of a checkpoint, unless its holder has that slot from a newer incarnation; returns whether it did. */
    boolean putGeneration(Backup backup) {
        Copy place = new Copy(backup.block, backup.slot, backup.holder);
        Backup there = generations.get(place);
        boolean outdated = there != null && there.key.compareTo(backup.key) > 0;
        if (!outdated) {
            generations.put(place, backup);
        }
        return !outdated;
    }

    /** The newest copy of a block's checkpoint in each slot that is left with one of these. */
    List<Backup> generations(int block, Predicate<NodeId> among) {
        Map<Integer, Backup> newest = new TreeMap<>();
        generations.values().stream()
                .filter(backup -> backup.block == block && among.test(backup.holder))
                .forEach(backup -> newest.merge(backup.slot, backup, (a, b) -> BY_AGE.compare(a, b) >= 0 ? a : b));
        return List.copyOf(newest.values());
    }

    /** The newest backup of a block that is left with one of these. */
    Optional<Backup> newest(int block, Predicate<NodeId> among) {
        return backups.values().stream()
                .filter(b -> b.block == block && among.test(b.holder))
                .max(BY_AGE);
    }

    /** The newest backup of a block that is left. */
    Optional<Backup> newest(int block) {
        return newest(block, holder -> true);
    }

    /** A holder is gone, and its copies with it. */
    void lost(NodeId holder) {
        backups.values().removeIf(backup -> backup.holder.equals(holder));
        generations.values().removeIf(backup -> backup.holder.equals(holder));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.job;

import dev.volary.protocol.model.BlockVersion;
import dev.volary.protocol.model.CheckpointGeneration;
import dev.volary.protocol.model.WorkerId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Backups of blocks, each in the memory of another daemon: they die with it. */
final class SimulatedBackups {
    private static final Comparator<Backup> BY_AGE = Comparator.comparing(Backup::key);

    /** A block's state. */
    static final class Backup {
        private final int block;
        private final int slot;
        private final BlockVersion key;
        private final double[] core;
        private final double[][] halos;
        private final byte[] saved;
        private final WorkerId holder;

        Backup(int block, int slot, BlockVersion key, double[] core, double[][] halos, byte[] saved, WorkerId holder) {
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

        BlockVersion key() {
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

        WorkerId holder() {
            return holder;
        }

        /** The same copy at another worker. */
        Backup heldBy(WorkerId other) {
            return new Backup(block, slot, key, core, halos, saved, other);
        }
    }

    /** Names one of the copies of a checkpoint. */
    private record Copy(int slot, WorkerId holder) {}

    /** Of each block, checkpoints by copy in the order of their making, and backups by slot. */
    private final Map<Integer, Map<Copy, Backup>> generations = new HashMap<>();

    private final Map<Integer, TreeMap<Integer, Backup>> backups = new HashMap<>();

    /** Of each block, what its former owners have left of it. */
    private final Map<Integer, Map<WorkerId, Backup>> left = new HashMap<>();

    /** Backups of holders that have gone to another group since. Daemons of the old group do not ask them. */
    private final Set<Backup> takenAway = new HashSet<>();

    /** Takes a backup, unless one of a newer incarnation is left; the checker sees what was there before. */
    boolean put(Backup backup, InvariantChecker checker) {
        Optional<BlockVersion> newest = newest(backup.block).map(Backup::key);
        boolean keeps = newest.filter(known -> known.incarnation().compareTo(backup.key.incarnation()) > 0)
                .isEmpty();
        if (keeps) {
            checker.backupTaken(backup.block, backup.key, newest);
            backups.computeIfAbsent(backup.block, b -> new TreeMap<>()).put(backup.slot, backup);
            dropOutdated(backup.block);
        }
        return keeps;
    }

    /** Once the owner of a block has filled all slots, what former owners have left is dropped. */
    private void dropOutdated(int block) {
        left.getOrDefault(block, Map.of())
                .values()
                .removeIf(old ->
                        inSlots(block).allMatch(each -> each.key.incarnation().compareTo(old.key.incarnation()) > 0));
    }

    /** A former owner of a block keeps what it has backed up last. */
    void leave(Backup backup) {
        left.computeIfAbsent(backup.block, b -> new LinkedHashMap<>()).put(backup.holder, backup);
    }

    /** Who holds backups of a block. */
    Set<WorkerId> holders(int block) {
        return all(block).map(Backup::holder).collect(Collectors.toCollection(TreeSet::new));
    }

    private Stream<Backup> all(int block) {
        return Stream.concat(inSlots(block), left.getOrDefault(block, Map.of()).values().stream());
    }

    private Stream<Backup> inSlots(int block) {
        return backups.getOrDefault(block, new TreeMap<>()).values().stream();
    }

    /** Takes a copy of a checkpoint, unless its holder has that slot from a newer incarnation; returns whether it did. */
    boolean putGeneration(Backup backup) {
        Copy place = new Copy(backup.slot, backup.holder);
        Map<Copy, Backup> ofBlock = generations.computeIfAbsent(backup.block, b -> new LinkedHashMap<>());
        Backup there = ofBlock.get(place);
        boolean outdated = there != null && there.key.compareTo(backup.key) > 0;
        if (!outdated) {
            ofBlock.put(place, backup);
        }
        return !outdated;
    }

    /** The newest copy of a block's checkpoint in each slot that is left with one of these. */
    List<Backup> generations(int block, Predicate<WorkerId> among) {
        Map<Integer, Backup> newest = new TreeMap<>();
        generations.getOrDefault(block, Map.of()).values().stream()
                .filter(backup -> among.test(backup.holder))
                .forEach(backup -> newest.merge(backup.slot, backup, (a, b) -> BY_AGE.compare(a, b) >= 0 ? a : b));
        return List.copyOf(newest.values());
    }

    /** Whether a checkpoint is left that all blocks could roll back to. */
    boolean haveCheckpoint(int blocks) {
        return IntStream.range(0, blocks)
                .mapToObj(block -> generations(block, holder -> true).stream()
                        .map(SimulatedBackups::generation)
                        .collect(Collectors.toSet()))
                .reduce((common, ofBlock) -> {
                    common.retainAll(ofBlock);
                    return common;
                })
                .filter(common -> !common.isEmpty())
                .isPresent();
    }

    /** What a copy of a checkpoint is called. */
    static CheckpointGeneration generation(Backup backup) {
        return new CheckpointGeneration(
                backup.slot(),
                backup.key().incarnation().counter(),
                backup.key().iteration());
    }

    /** The newest backup of a block that is left with one of these. */
    Optional<Backup> newest(int block, Predicate<WorkerId> among) {
        return all(block).filter(backup -> among.test(backup.holder)).max(BY_AGE);
    }

    /** The oldest backup of a block that is left with one of these. */
    Optional<Backup> oldest(int block, Predicate<WorkerId> among) {
        return inSlots(block).filter(backup -> among.test(backup.holder)).min(BY_AGE);
    }

    /** A daemon goes to another group, with what it holds. */
    void leavesGroup(WorkerId holder) {
        backups.keySet()
                .forEach(block -> all(block)
                        .filter(backup -> backup.holder.equals(holder))
                        .forEach(takenAway::add));
    }

    /** Copies of a block that are left with its group, the newest of each holder. */
    List<BlockVersion> leftWithGroup(int block) {
        return holders(block).stream()
                .flatMap(holder -> newest(block, holder::equals).stream())
                .filter(backup -> !takenAway.contains(backup))
                .map(Backup::key)
                .toList();
    }

    /** The newest backup of a block that is left. */
    Optional<Backup> newest(int block) {
        return newest(block, holder -> true);
    }

    /** Removes a holder that ended, with its copies. */
    void lost(WorkerId holder) {
        backups.values().forEach(slots -> slots.values().removeIf(backup -> backup.holder.equals(holder)));
        left.values().forEach(copies -> copies.remove(holder));
        generations.values().forEach(copies -> copies.values().removeIf(backup -> backup.holder.equals(holder)));
    }
}

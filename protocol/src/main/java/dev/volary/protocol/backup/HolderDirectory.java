// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.backup;

import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.machine.WorkerAction;
import dev.volary.protocol.message.BackupMessage;
import dev.volary.protocol.message.Message;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The holders of a group, kept by its owner, which is one of them as soon as there is another, unless it
 * leaves backups to the daemons. Each change is sent to all
 * daemons of the group, those included that are not holders yet. A group that is too small or in one zone has those of a buddy
 * group too. Reports when there are too few for the wanted copies for a while, and when that is over.
 */
public final class HolderDirectory {
    private static final long SETTLED = Duration.ofSeconds(10).toNanos();

    private final Member self;
    private final boolean holdsBackups;
    private final BuddyGroups buddies;
    private final TreeMap<WorkerId, BackupHolder> holders = new TreeMap<>();
    private final TreeSet<WorkerId> warmedUp = new TreeSet<>();
    private long version;
    private boolean asked;
    private int wanted;
    private Optional<Integer> reported = Optional.empty();
    private long reportAt = Long.MAX_VALUE;

    /** @param holdsBackups whether the owner is a holder, too */
    public HolderDirectory(Member self, boolean holdsBackups) {
        this.self = self;
        this.holdsBackups = holdsBackups;
        this.buddies = new BuddyGroups(self);
    }

    /** A daemon of the group names itself, and gets the list if it has an older one. */
    public void holderReported(BackupMessage.HolderReport report, List<Member> members, SpawnerTurn turn) {
        wanted = report.copies();
        open(turn);
        if (report.warmedUp()) {
            warmedUp.add(report.holder().id());
        }
        if (!put(report.holder(), members, turn) && report.version() != version) {
            turn.send(report.holder().id(), list());
        }
    }

    /** Another group shares its holders with this one. */
    public void buddyReported(
            WorkerId from, BackupMessage.BuddyHolders message, List<Member> members, SpawnerTurn turn) {
        open(turn);
        if (buddies.received(from, message, own(), turn)) {
            changed(members, turn);
        }
    }

    private void open(SpawnerTurn turn) {
        if (holdsBackups && !asked) {
            asked = true;
            turn.add(new WorkerAction.OpenBackupStore());
        }
    }

    /** The owner's own store is open. */
    public void opened(BackupHolder own, List<Member> members, SpawnerTurn turn) {
        boolean ignored = put(own, members, turn);
    }

    /** A daemon has joined the group. */
    public void joined(Member daemon, SpawnerTurn turn) {
        if (!all().isEmpty()) {
            turn.send(daemon.id(), list());
        }
    }

    /** Workers are dead, and their copies with them. */
    public void lost(Collection<WorkerId> dead, List<Member> members, SpawnerTurn turn) {
        boolean others = buddies.lost(dead);
        boolean own = holders.keySet().removeAll(dead);
        warmedUp.removeAll(dead);
        if (others || own) {
            changed(members, turn);
        }
    }

    /**
     * These daemons: first those that are warmed up, then those whose stores are open, which may still be joining; else in the
     * order they have.
     */
    public List<Member> readyFirst(List<Member> members) {
        return members.stream()
                .sorted(Comparator.comparing((Member member) -> !warmedUp.contains(member.id()))
                        .thenComparing(member -> !holders.containsKey(member.id())))
                .toList();
    }

    /** Whether a daemon has found backups with their holders. */
    public boolean isWarmedUp(WorkerId daemon) {
        return warmedUp.contains(daemon);
    }

    /** Whether there are holders whose backups a daemon has not found yet. */
    public boolean isCold(WorkerId daemon) {
        return !holders.isEmpty() && !warmedUp.contains(daemon);
    }

    /** Owners of other groups whose daemons find this one's copies, the best one first. */
    public List<WorkerId> buddies() {
        return buddies.owners();
    }

    /**
     * Looks for a buddy group if one is needed.
     *
     * @param others owners of other groups
     */
    public void findBuddy(List<Member> members, Supplier<Collection<Member>> others, SpawnerTurn turn) {
        boolean hasNoHolders = holders.isEmpty() && buddies.entries() == 0;
        if (!hasNoHolders && buddies.tick(own(), holdingMembers(members), wanted, others, turn)) {
            changed(members, turn);
        }
    }

    /** Reports how many copies there are when that number has been stable for a while. */
    public void tick(SpawnerTurn turn) {
        if (turn.now() >= reportAt) {
            reportAt = Long.MAX_VALUE;
            int inForce = inForce();
            if (reported.orElse(wanted) != inForce) {
                reported = Optional.of(inForce);
                turn.emit(new JobEvent.Degraded(inForce, wanted));
            }
        }
        turn.wakeAt(reportAt);
    }

    /** Entries held. */
    public int entries() {
        return holders.size() + warmedUp.size() + buddies.entries();
    }

    private int inForce() {
        return Math.min(wanted, Math.max(0, all().size() - 1));
    }

    private boolean put(BackupHolder holder, List<Member> members, SpawnerTurn turn) {
        if (holder.equals(holders.put(holder.id(), holder))) {
            return false;
        }
        changed(members, turn);
        return true;
    }

    private void changed(List<Member> members, SpawnerTurn turn) {
        version++;
        reportAt = turn.now() + SETTLED;
        Message list = list();
        members.stream().filter(m -> !m.id().equals(self.id())).forEach(member -> turn.send(member.id(), list));
        turn.add(new WorkerAction.UpdateHolders(all()));
    }

    /** Who keeps backups of this group once all stores are open. */
    private List<Member> holdingMembers(List<Member> daemons) {
        List<Member> holding = new ArrayList<>(daemons);
        if (holdsBackups) {
            holding.add(self);
        }
        return holding;
    }

    private BackupMessage.HolderListUpdate list() {
        return new BackupMessage.HolderListUpdate(version, all());
    }

    private List<BackupHolder> own() {
        return List.copyOf(holders.values());
    }

    private List<BackupHolder> all() {
        TreeMap<WorkerId, BackupHolder> all = new TreeMap<>(holders);
        buddies.holders().forEach(holder -> all.putIfAbsent(holder.id(), holder));
        return List.copyOf(all.values());
    }
}

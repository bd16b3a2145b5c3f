// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.backup.HolderDirectory;
import dev.volary.protocol.config.SpawnerConfig;
import dev.volary.protocol.leader.ProgressTable;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.membership.GroupMonitor;
import dev.volary.protocol.message.ProgressMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.FailureVerdict;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.DaemonReservations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The daemons of a group: who they are, how they are monitored, what they report, and which of them hold backups. */
final class GroupMembers {
    private final DaemonReservations reservations;
    private final HolderDirectory holders;
    private final ProgressTable progress = new ProgressTable();
    private final GroupMonitor monitor;
    private final long retry;
    private final Set<WorkerId> unconfirmed = new TreeSet<>();
    private GroupTerm term;
    private long notifyAt = Long.MIN_VALUE;

    GroupMembers(Member self, SpawnerConfig config, long seed) {
        this.term = new GroupTerm(1, self.id());
        this.retry = config.retry().toNanos();
        this.holders = new HolderDirectory(self, config.holdsBackups());
        this.monitor = new GroupMonitor(self, config, seed);
        int fairShare = Math.ceilDiv(config.daemons(), config.spawners());
        this.reservations = new DaemonReservations(self.id(), term, fairShare, config.groupBound(), config.retry());
    }

    DaemonReservations reservations() {
        return reservations;
    }

    HolderDirectory holders() {
        return holders;
    }

    GroupMonitor monitor() {
        return monitor;
    }

    List<Member> members() {
        return reservations.members();
    }

    /** Daemons that may get a block: first those that can fetch a backup at once. */
    List<Member> candidates() {
        return holders.readyFirst(reservations.members());
    }

    boolean has(WorkerId daemon) {
        return reservations.has(daemon);
    }

    /** A daemon offers itself, or names its owner; returns whether the group has changed. */
    boolean register(RegistrationMessage.Register registration, SpawnerTurn turn) {
        Member daemon = registration.daemon();
        if (registration.owner().isEmpty()) {
            monitor.registeredAgain(daemon.id(), turn.now());
        } else {
            unconfirmed.remove(daemon.id());
        }
        boolean news = reservations.register(daemon, registration.owner(), turn);
        if (news && reservations.has(daemon.id())) {
            holders.joined(daemon, turn);
        } else if (news) {
            progress.lost(daemon.id());
            holders.lost(Set.of(daemon.id()), reservations.members(), turn);
        }
        return news;
    }

    /** The daemons of a group that was taken over: each is notified until it answers. */
    void adopt(GroupTerm newTerm, Collection<Member> daemons, SpawnerTurn turn) {
        term = newTerm;
        reservations.updateTerm(newTerm);
        for (Member daemon : daemons) {
            reservations.adopt(daemon, turn);
            unconfirmed.add(daemon.id());
        }
        notifyAt = turn.now();
    }

    void report(ProgressMessage.DaemonReport report) {
        progress.report(report);
    }

    List<ProgressMessage.DaemonReport> reports() {
        return progress.all();
    }

    /** What the daemons compute, by their own reports. */
    List<BlockAssignment> computed() {
        List<BlockAssignment> computed = new ArrayList<>();
        for (Member daemon : reservations.members()) {
            progress.of(daemon.id())
                    .forEach(block -> computed.add(new BlockAssignment(block.block(), block.incarnation(), daemon)));
        }
        return computed;
    }

    /** These daemons are dead or have left; returns those that were in the group. */
    List<FailureVerdict> lost(List<FailureVerdict> verdicts, SpawnerTurn turn) {
        List<FailureVerdict> ours = verdicts.stream()
                .filter(lost -> reservations.lost(lost.member()))
                .toList();
        ours.forEach(lost -> {
            progress.lost(lost.member());
            unconfirmed.remove(lost.member());
        });
        if (!ours.isEmpty()) {
            holders.lost(ours.stream().map(FailureVerdict::member).toList(), reservations.members(), turn);
        }
        return ours;
    }

    /** Repeats notifications and monitors the daemons; returns the verdicts on them. */
    List<FailureVerdict> tick(SpawnerTurn turn) {
        reservations.tick(turn.now());
        if (!unconfirmed.isEmpty()) {
            if (turn.now() >= notifyAt) {
                notifyAt = turn.now() + retry;
                unconfirmed.forEach(daemon -> turn.send(daemon, new RegistrationMessage.GroupAdopted(term)));
            }
            turn.wakeAt(notifyAt);
        }
        holders.tick(turn);
        return monitor.tick(reservations.members(), turn);
    }

    int entries() {
        return reservations.entries() + holders.entries() + progress.entries() + monitor.entries() + unconfirmed.size();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.directory.DirectoryReplicas;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.RegistrationMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.BlockAssignment;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes over blocks for this spawner's group, of owners that are dead or that have no daemon for them, and cedes those that
 * others claim. Each takeover begins a new term of the group. Before there is a plan, nothing is taken over.
 */
final class GroupTakeover {
    private final Member self;
    private final OwnedGroup group;
    private final OwnershipTracker ownership;
    private final DirectoryReplicas replicas;
    private final KnownSpawners spawners;
    private final SpawnerLeadership leadership;
    private final ProgressReporter reporter;

    /** @param replicas of the directories of other groups */
    GroupTakeover(
            Member self,
            OwnedGroup group,
            OwnershipTracker ownership,
            DirectoryReplicas replicas,
            KnownSpawners spawners,
            SpawnerLeadership leadership,
            ProgressReporter reporter) {
        this.self = self;
        this.group = group;
        this.ownership = ownership;
        this.replicas = replicas;
        this.spawners = spawners;
        this.leadership = leadership;
        this.reporter = reporter;
    }

    /** Takes over the blocks of dead owners when it is this spawner's turn, and repeats its claims. */
    void tick(SpawnerTurn turn) {
        group.blocks().ifPresent(own -> takeOver(own, turn));
        ownership.tick(spawners.members(), turn);
    }

    private void takeOver(BlockGroup own, SpawnerTurn turn) {
        List<Integer> blocks = new ArrayList<>();
        List<TakeoverMessage.DirectoryReplica> known = new ArrayList<>();
        for (WorkerId owner : ownership.ownersToReplace(spawners.ids(), replicas::has, leadership.leads(), turn)) {
            blocks.addAll(ownership.owners().blocks(owner));
            replicas.take(owner).ifPresent(known::add);
        }
        if (blocks.isEmpty()) {
            return;
        }
        GroupTerm term = ownership.nextTerm();
        known.forEach(replica -> group.members().adopt(term, replica.daemons(), turn));
        List<BlockAssignment> entries =
                known.stream().flatMap(replica -> replica.entries().stream()).toList();
        take(own, term, blocks, entries, false, turn);
        taken(own, term, blocks, turn);
    }

    /**
     * A block of this group has an incarnation that only the spawner that assigned it knew of. If that one is dead, no spawner
     * claims the block: it is assigned again under a higher incarnation.
     */
    void fenced(BlockMessage.StaleIncarnation fenced, SpawnerTurn turn) {
        GroupTerm term = fenced.newest().term();
        boolean unknown = group.directory()
                .find(fenced.block())
                .filter(entry -> entry.incarnation().compareTo(fenced.newest()) < 0)
                .isPresent();
        boolean claimed = term.owner().equals(self.id()) || spawners.has(term.owner());
        if (group.hasBlock(fenced.block()) && unknown && !claimed) {
            ownership.owners().observe(term);
            GroupTerm next = ownership.nextTerm();
            group.members().adopt(next, List.of(), turn);
            BlockGroup own = group.blocks().orElseThrow();
            own.renew(next, fenced.block(), turn);
            taken(own, next, List.of(fenced.block()), turn);
        }
    }

    /** Another group has blocks without a daemon, or too many for its daemons: a standby is lent, or they are taken over. */
    void offered(TakeoverMessage.BlocksOffered offer, SpawnerTurn turn) {
        if (group.blocks().isEmpty()) {
            return;
        }
        BlockGroup own = group.blocks().get();
        List<Member> daemons = group.members().members();
        Optional<Member> idle = own.findIdleDaemon(daemons, !offer.blocks().isEmpty());
        if (idle.isPresent()) {
            turn.send(idle.get().id(), new RegistrationMessage.TransferDaemon(offer.spawner()));
            return;
        }
        List<Integer> room = own.roomFor(blocksOfOwner(offer), daemons);
        if (!room.isEmpty()) {
            GroupTerm term = ownership.nextTerm();
            take(own, term, room, offer.entries(), true, turn);
            own.assignments().recordBackups(offer.copies());
            taken(own, term, room, turn);
        }
    }

    /** The offered blocks that the sender still owns, as far as this spawner knows. */
    private List<Integer> blocksOfOwner(TakeoverMessage.BlocksOffered offer) {
        return offer.blocks().stream()
                .filter(block -> ownership
                        .owners()
                        .ownerOf(block)
                        .filter(offer.spawner()::equals)
                        .isPresent())
                .toList();
    }

    private void take(
            BlockGroup own,
            GroupTerm term,
            List<Integer> blocks,
            List<BlockAssignment> entries,
            boolean certain,
            SpawnerTurn turn) {
        group.members().adopt(term, List.of(), turn);
        own.take(term, blocks, entries, group.members().members(), certain, turn);
    }

    private void taken(BlockGroup own, GroupTerm term, List<Integer> blocks, SpawnerTurn turn) {
        ownership.claim(term, own.assignments().blocks(), turn.now());
        updateOtherGroups(own, turn);
        turn.emit(new JobEvent.GroupTakenOver(self.id(), term.n(), blocks));
        reporter.reportNow(turn.now());
    }

    /** Another spawner claims blocks, maybe some of this group's. */
    void claimed(WorkerId from, TakeoverMessage.OwnershipClaim claim, SpawnerTurn turn) {
        spawners.add(claim.spawner(), turn);
        List<Integer> gained = ownership.claimed(from, claim, turn);
        if (!gained.isEmpty() && group.blocks().isPresent()) {
            group.blocks().get().cede(gained, turn);
            updateOtherGroups(group.blocks().get(), turn);
        }
    }

    private void updateOtherGroups(BlockGroup own, SpawnerTurn turn) {
        own.assignments().updateOtherGroups(ownership.owners().groups(), self.id(), turn);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.directory.DirectoryReplicas;
import dev.volary.protocol.directory.GroupOwners;
import dev.volary.protocol.leader.ElectionParticipant;
import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.BlockOffers;
import java.util.Collection;
import java.util.List;

/**
 * Asks the owners of other groups for help: sends them replicas of this group's directory, offers them blocks that have no
 * daemon here, and finds one whose holders may keep this group's backups.
 */
final class OtherGroups {
    private final WorkerId self;
    private final OwnedGroup group;
    private final GroupOwners owners;
    private final KnownSpawners spawners;
    private final DirectoryReplicas replicas;
    private final BlockOffers offers;

    OtherGroups(
            WorkerId self,
            OwnedGroup group,
            GroupOwners owners,
            KnownSpawners spawners,
            DirectoryReplicas replicas,
            BlockOffers offers) {
        this.self = self;
        this.group = group;
        this.owners = owners;
        this.spawners = spawners;
        this.replicas = replicas;
        this.offers = offers;
    }

    void tick(BlockGroup own, SpawnerTurn turn) {
        GroupMembers members = group.members();
        replicas.tick(
                own.assignments(), members.reservations(), ElectionParticipant.successors(self, spawners.ids()), turn);
        members.holders().findBuddy(members.members(), this::living, turn);
        List<Integer> parked = own.parked();
        offers.tick(
                own.isCrowded(members.members()),
                parked,
                own.assignments().entriesOf(parked),
                own.assignments().copiesOf(parked),
                members.holders().buddies(),
                spawners.ids(),
                turn);
    }

    /** Living spawners that own blocks; all others if none does. */
    private Collection<Member> living() {
        List<Member> living = owners.groups().stream()
                .map(TakeoverMessage.GroupPlan::spawner)
                .filter(owner -> spawners.has(owner.id()))
                .toList();
        return living.isEmpty() ? spawners.members() : living;
    }
}

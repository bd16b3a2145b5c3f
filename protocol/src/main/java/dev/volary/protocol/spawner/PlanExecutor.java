// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.spawner;

import dev.volary.protocol.machine.SpawnerTurn;
import dev.volary.protocol.message.BlockMessage;
import dev.volary.protocol.message.TakeoverMessage;
import dev.volary.protocol.model.GroupTerm;
import dev.volary.protocol.model.Incarnation;
import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import dev.volary.protocol.placement.BlockDistribution;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Executes the leader's plan: the group gets its blocks by the first plan that arrives, and learns from each one which spawners
 * own the other blocks.
 */
final class PlanExecutor {
    private final Member self;
    private final JobGraph graph;
    private final OwnedGroup group;
    private final OwnershipTracker ownership;
    private final KnownSpawners spawners;
    private final SpawnerLeadership leadership;
    private final ProgressReporter reporter;

    PlanExecutor(
            Member self,
            JobGraph graph,
            OwnedGroup group,
            OwnershipTracker ownership,
            KnownSpawners spawners,
            SpawnerLeadership leadership,
            ProgressReporter reporter) {
        this.self = self;
        this.graph = graph;
        this.group = group;
        this.ownership = ownership;
        this.spawners = spawners;
        this.leadership = leadership;
        this.reporter = reporter;
    }

    /**
     * Takes a plan, unless its sender does not lead.
     *
     * @param lostAny whether a worker was lost since the plan was made, so that blocks may wait until there is room for them
     * @param isGone whether the leader knows that a spawner is dead: a plan from the log may name such ones
     */
    void received(
            WorkerId from, TakeoverMessage.Plan plan, boolean lostAny, Predicate<WorkerId> isGone, SpawnerTurn turn) {
        if (!leadership.isLeader(from)) {
            return;
        }
        ownership.planned(plan);
        plan.groups().stream()
                .map(TakeoverMessage.GroupPlan::spawner)
                .filter(spawner -> !isGone.test(spawner.id()))
                .forEach(spawner -> spawners.add(spawner, turn));
        if (!group.isPlanned()) {
            start(plan, lostAny, turn);
        }
        group.blocks()
                .ifPresent(own ->
                        own.assignments().updateOtherGroups(ownership.owners().groups(), self.id(), turn));
    }

    private void start(TakeoverMessage.Plan plan, boolean lostAny, SpawnerTurn turn) {
        Optional<TakeoverMessage.GroupPlan> own = plan.groups().stream()
                .filter(g -> g.spawner().id().equals(self.id()))
                .findFirst();
        GroupTerm term = own.map(TakeoverMessage.GroupPlan::term).orElse(new GroupTerm(1, self.id()));
        BlockGroup created = group.withoutBlocks(term);
        GroupMembers members = group.members();
        if (own.filter(g -> g.daemons() > 0).isPresent()) {
            created.assignFirst(own.get(), members.members(), turn);
            if (!created.assignments().parked().isEmpty() && !lostAny) {
                leadership.forward(self.id(), misfit(own.get(), members.members()), turn);
                return;
            }
        } else if (own.isPresent()) {
            // By this plan no daemon gets blocks: they are computed already.
            members.adopt(term, List.of(), turn);
            created.take(term, own.get().blocks(), members.computed(), members.members(), true, turn);
        }
        group.planned(created, turn);
        reporter.reportNow(turn.now());
    }

    private BlockMessage.BlockFailed misfit(TakeoverMessage.GroupPlan own, List<Member> members) {
        int first = own.blocks().getFirst();
        return new BlockMessage.BlockFailed(
                first, new Incarnation(own.term(), 1), BlockDistribution.reason(graph, own.blocks(), members), true);
    }
}

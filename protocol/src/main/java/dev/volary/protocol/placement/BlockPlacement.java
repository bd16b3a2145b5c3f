// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.placement;

import dev.volary.protocol.model.JobGraph;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds daemons for blocks that lost theirs: a standby takes all blocks of one lost daemon, as long as they fit; without one,
 * each block goes to the daemon that then has the least work per core and room in its declared memory. A standby that could not
 * fetch their copies yet comes last.
 */
public final class BlockPlacement {
    private final JobGraph graph;
    private final List<Member> members;
    private final Map<WorkerId, Long> bytes = new HashMap<>();
    private final Map<WorkerId, Double> work = new HashMap<>();
    private final Set<WorkerId> standbys = new HashSet<>();
    private final Set<WorkerId> cold = new HashSet<>();
    private final Map<WorkerId, Member> heirs = new HashMap<>();

    /**
     * @param members daemons that may get blocks
     * @param load the blocks that each daemon serves already
     * @param isCold whether a standby could not fetch copies yet
     */
    public BlockPlacement(
            JobGraph graph,
            List<Member> members,
            Map<WorkerId, ? extends Collection<Integer>> load,
            Predicate<WorkerId> isCold) {
        this.graph = graph;
        this.members = members;
        for (Member member : members) {
            Collection<Integer> blocks = load.get(member.id());
            if (blocks == null || blocks.isEmpty()) {
                (isCold.test(member.id()) ? cold : standbys).add(member.id());
            } else {
                blocks.forEach(block -> take(member, block));
            }
        }
    }

    /**
     * A daemon for a block; the block counts as assigned to it.
     *
     * @param lost the daemon that served it
     * @param not daemons that shall not get it
     * @return empty if it fits nowhere
     */
    public Optional<Member> place(int block, WorkerId lost, Set<WorkerId> not) {
        Optional<Member> found = Optional.ofNullable(heirs.get(lost))
                .filter(heir -> fits(heir, block) && !not.contains(heir.id()))
                .or(() -> find(block, not, standbys::contains))
                .or(() -> find(block, not, id -> !standbys.contains(id) && !cold.contains(id)))
                .or(() -> find(block, not, cold::contains));
        found.ifPresent(member -> {
            if (standbys.remove(member.id()) || cold.remove(member.id())) {
                heirs.put(lost, member);
            }
            take(member, block);
        });
        return found;
    }

    private Optional<Member> find(int block, Set<WorkerId> not, Predicate<WorkerId> among) {
        return members.stream()
                .filter(member -> among.test(member.id()))
                .filter(member -> !not.contains(member.id()) && fits(member, block))
                .min(Comparator.comparingDouble(member -> (work.getOrDefault(member.id(), 0.0)
                                + graph.blocks().get(block).work())
                        / Math.max(1, member.cores())));
    }

    private boolean fits(Member member, int block) {
        return bytes.getOrDefault(member.id(), 0L) + graph.blocks().get(block).bytes() <= member.memoryBytes();
    }

    private void take(Member member, int block) {
        bytes.merge(member.id(), graph.blocks().get(block).bytes(), Long::sum);
        work.merge(member.id(), graph.blocks().get(block).work(), Double::sum);
    }
}

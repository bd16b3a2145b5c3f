package dev.volary.protocol.spawner;

import dev.volary.protocol.Member;
import dev.volary.protocol.Message;
import dev.volary.protocol.NodeId;
import dev.volary.protocol.formation.Assignments;
import dev.volary.protocol.formation.Attempts;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Blocks that went to daemons with blocks of their own, for there was no standby: these compute more slowly from then on. A
 * standby that comes later relieves one of them, once it has found copies and the blocks have been backed up where they are.
 */
final class Crowding {
    /** Crowded blocks, and whether they have been backed up since. */
    private final TreeMap<Integer, Boolean> blocks = new TreeMap<>();

    /** These were given away just now. */
    void placed(Map<Member, List<Integer>> given, Assignments assignments) {
        given.forEach((daemon, theirs) -> {
            blocks.keySet().removeAll(theirs);
            if (assignments.of(daemon.id()).size() > theirs.size()) {
                theirs.forEach(block -> blocks.put(block, false));
            }
        });
    }

    /** How a block does under its newest incarnation. */
    void progress(Message.BlockProgress block) {
        if (block.backup().isPresent()) {
            blocks.computeIfPresent(block.block(), (id, before) -> true);
        }
    }

    /** They are looked after elsewhere, or have lost their daemon. */
    void gone(Collection<Integer> theirs) {
        blocks.keySet().removeAll(theirs);
    }

    /**
     * What a standby should take over from the daemons that go on: all that one of them has got so.
     *
     * @return blocks by the daemon that has them; empty if there is nothing to relieve, or the standby has no room
     */
    Map<NodeId, Set<Integer>> relief(
            Member standby, Collection<Member> others, Assignments assignments, Attempts attempts) {
        for (Member daemon : others) {
            List<Integer> all = assignments.of(daemon.id());
            Set<Integer> theirs = all.stream()
                    .filter(block -> blocks.getOrDefault(block, false))
                    .filter(block -> !attempts.on(block).contains(standby.id()))
                    .collect(Collectors.toSet());
            boolean fits =
                    assignments.roomFor(List.copyOf(theirs), List.of(standby)).size() == theirs.size();
            if (!theirs.isEmpty() && theirs.size() < all.size() && fits) {
                return Map.of(daemon.id(), theirs);
            }
        }
        return Map.of();
    }

    boolean isEmpty() {
        return blocks.isEmpty();
    }

    int entries() {
        return blocks.size();
    }
}

package dev.volary.protocol.spawner;

import dev.volary.protocol.Action;
import dev.volary.protocol.Actions;
import dev.volary.protocol.Member;
import dev.volary.protocol.Message.WatchMessage;
import dev.volary.protocol.NodeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * What daemons say of another spawner that it does not hear itself. Between two spawners nobody else can tell a
 * dead one from a cut cable. A daemon of this one's machine would lose the same cable, so it is not asked, unless the other
 * spawner is there as well.
 */
final class Witnesses {
    private static final int MOST = 5;

    private final Member self;
    private final long lasts;
    private final TreeMap<NodeId, TreeMap<NodeId, Testimony>> said = new TreeMap<>();

    private record Testimony(boolean hears, long at) {}

    /**
     * @param timeout of the watch: what was said is of use for so long, in nanoseconds
     */
    Witnesses(Member self, long timeout) {
        this.self = self;
        this.lasts = timeout;
    }

    /** Asks those that have not answered; may be called often. */
    void ask(Member spawner, Collection<Member> daemons, Actions out, long now) {
        TreeMap<NodeId, Testimony> known = said.computeIfAbsent(spawner.id(), id -> new TreeMap<>());
        known.values().removeIf(word -> now - word.at >= lasts);
        List<Member> elsewhere = daemons.stream()
                .filter(daemon -> self.believes(daemon, spawner))
                .sorted(Comparator.comparing((Member daemon) -> !daemon.elsewhere(spawner))
                        .thenComparing(daemon -> daemon.zone().equals(self.zone()))
                        .thenComparing(Member::id))
                .limit(MOST)
                .toList();
        for (Member daemon : elsewhere) {
            if (!known.containsKey(daemon.id())) {
                out.add(new Action.Know(daemon));
                out.send(daemon.id(), new WatchMessage.Probe(spawner.id()));
            }
        }
    }

    void answered(NodeId daemon, WatchMessage.ProbeAnswer answer, long now) {
        TreeMap<NodeId, Testimony> known = said.get(answer.suspect());
        if (known != null && (known.size() < MOST || known.containsKey(daemon))) {
            known.put(daemon, new Testimony(!answer.refused() && answer.silentNanos() == 0, now));
        }
    }

    /** The spawner was heard, or is in the ring no longer. */
    void forget(NodeId spawner) {
        said.remove(spawner);
    }

    /** Whether somebody elsewhere does not hear it either, and nobody hears it. */
    boolean confirm(NodeId spawner, long now) {
        Collection<Testimony> words =
                said.getOrDefault(spawner, new TreeMap<>()).values();
        return words.stream().anyMatch(word -> now - word.at < lasts)
                && words.stream().noneMatch(word -> word.hears && now - word.at < lasts);
    }

    int entries() {
        return said.values().stream().mapToInt(TreeMap::size).sum();
    }
}

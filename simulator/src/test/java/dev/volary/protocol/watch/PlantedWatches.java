package dev.volary.protocol.watch;

import dev.volary.protocol.NodeId;

/** Watches that follow wrong rules, to see that the simulator's judge catches them. */
public final class PlantedWatches {
    private PlantedWatches() {}

    /** Takes the first accuser's word. */
    public static Watch withoutConfirmation(NodeId self, WatchConfig config, long seed) {
        return new Watch(self, config, seed, new WatchRules() {
            @Override
            boolean inquires() {
                return false;
            }
        });
    }

    /** Takes its own pause for the silence of others. */
    public static Watch thatIgnoresItsPauses(NodeId self, WatchConfig config, long seed) {
        return new Watch(self, config, seed, new WatchRules() {
            @Override
            long ownPause(long waited, long late) {
                return 0;
            }
        });
    }

    /** Sends a suspicion once. */
    public static Watch thatDoesNotRepeat(NodeId self, WatchConfig config, long seed) {
        return new Watch(self, config, seed, new WatchRules() {
            @Override
            boolean repeats() {
                return false;
            }
        });
    }

    /** Leaves heartbeats out when other traffic was sent, whether or not it arrived. */
    public static Watch thatIsSparedBySending(NodeId self, WatchConfig config, long seed) {
        return new Watch(self, config, seed, new WatchRules() {
            @Override
            boolean sparesBySent(Strategy strategy) {
                return true;
            }
        });
    }
}

package dev.volary.simulator.watch;

import dev.volary.protocol.NodeId;
import dev.volary.protocol.watch.Watch;
import dev.volary.protocol.watch.WatchConfig;

/** How a simulation's members are made; tests plant bugs here and see them caught. */
class WatchWiring {

    Watch watch(NodeId self, WatchConfig config, long seed) {
        return new Watch(self, config, seed);
    }
}

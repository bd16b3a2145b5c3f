package dev.volary.protocol.spawner;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Event;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Machine;
import dev.volary.protocol.Member;

/** A spawner's decisions. */
public final class SpawnerMachine implements Machine {

    /** A spawner without a group. */
    public SpawnerMachine(Member self, JobShape shape, JobConfig config, long seed) {}

    @Override
    public Actions on(Event event, long now) {
        return new Actions();
    }
}

package dev.volary.protocol.daemon;

import dev.volary.protocol.Actions;
import dev.volary.protocol.Event;
import dev.volary.protocol.JobShape;
import dev.volary.protocol.Machine;
import dev.volary.protocol.Member;

/** A daemon's decisions. */
public final class DaemonMachine implements Machine {

    /** A free daemon. */
    public DaemonMachine(Member self, JobShape shape, DaemonConfig config, long seed) {}

    @Override
    public Actions on(Event event, long now) {
        return new Actions();
    }
}

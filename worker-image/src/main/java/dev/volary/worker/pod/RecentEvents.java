// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.v1.NumberedEvent;
import dev.volary.protocol.machine.JobEvent;
import java.util.ArrayDeque;
import java.util.List;

/** The newest events of this process, numbered from 0. Safe for use by several threads. */
public final class RecentEvents {
    private static final int MOST = 256;

    private final ArrayDeque<NumberedEvent> events = new ArrayDeque<>();
    private long next;

    /**
     * Appends an event; the oldest one goes when there are too many.
     *
     * @param atMillis since the epoch
     */
    public synchronized void add(JobEvent event, long atMillis) {
        if (events.size() == MOST) {
            events.removeFirst();
        }
        events.add(NumberedEvent.newBuilder()
                .setNumber(next++)
                .setAtMillis(atMillis)
                .setEvent(LocalCodec.write(event))
                .build());
    }

    /** Those that are still there, from this number on. */
    public synchronized List<NumberedEvent> since(long number) {
        return events.stream().filter(event -> event.getNumber() >= number).toList();
    }

    /** Number of the event that comes next. */
    public synchronized long next() {
        return next;
    }
}

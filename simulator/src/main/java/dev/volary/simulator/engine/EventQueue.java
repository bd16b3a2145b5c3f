// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.engine;

import java.util.PriorityQueue;

/** Virtual time: what happens next, in order of time and then of planning. */
public final class EventQueue {
    private record Entry(long at, long number, Runnable what) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int order = Long.compare(at, other.at);
            return order != 0 ? order : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long now;
    private long planned;
    private long done;

    /** Virtual nanoseconds since the start. */
    public long now() {
        return now;
    }

    /** Events handled so far. */
    public long done() {
        return done;
    }

    /** Plans something. */
    public void after(long delay, Runnable what) {
        entries.add(new Entry(now + Math.max(0, delay), planned++, what));
    }

    /** Handles the next event; returns whether there was one. */
    public boolean step() {
        Entry next = entries.poll();
        if (next == null) {
            return false;
        }
        now = next.at();
        done++;
        next.what().run();
        return true;
    }
}

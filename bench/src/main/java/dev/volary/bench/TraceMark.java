// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.util.List;
import java.util.Optional;

/**
 * Something that a worker did.
 *
 * @param worker its name
 * @param nanos when, on the clock of {@link System#nanoTime}, which all processes of a host share
 * @param what kind of event it marks
 * @param about to whom or with what
 */
record TraceMark(String worker, long nanos, String what, List<String> about) {

    /** Reads a line of a worker's log; empty if it is cut off. */
    static Optional<TraceMark> parse(String worker, String line) {
        String[] fields = line.split(" ");
        if (fields.length < 3) {
            return Optional.empty();
        }
        return Optional.of(new TraceMark(
                worker, Long.parseLong(fields[1]), fields[2], List.of(fields).subList(3, fields.length)));
    }

    /** Whether it is this, of this block. */
    boolean is(String kind, int block) {
        return what.equals(kind) && !about.isEmpty() && about.getFirst().equals(Integer.toString(block));
    }
}

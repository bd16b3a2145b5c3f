// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.util.List;
import java.util.Optional;

/**
 * Something that a worker did.
 *
 * @param worker its name
 * @param nanos when, on the clock of {@link System#nanoTime}, which all processes of a host share
 * @param what in a word
 * @param about to whom or with what
 */
record TraceMark(String worker, long nanos, String what, List<String> about) {

    /** Reads a line of a worker's log; empty if it is cut off. */
    static Optional<TraceMark> parse(String worker, String line) {
        String[] words = line.split(" ");
        if (words.length < 3) {
            return Optional.empty();
        }
        return Optional.of(new TraceMark(
                worker, Long.parseLong(words[1]), words[2], List.of(words).subList(3, words.length)));
    }

    /** Whether it is this, of this block. */
    boolean is(String kind, int block) {
        return what.equals(kind) && !about.isEmpty() && about.getFirst().equals(Integer.toString(block));
    }
}

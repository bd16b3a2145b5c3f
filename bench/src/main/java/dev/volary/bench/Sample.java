// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.util.List;

/**
 * How far a daemon was at a moment.
 *
 * @param nanos when
 * @param cpuNanos processor time of its process until then
 * @param iterations of its blocks until then
 */
record Sample(long nanos, long cpuNanos, long iterations) {

    /** All samples among a daemon's marks. */
    static List<Sample> of(List<TraceMark> marks) {
        return marks.stream()
                .filter(mark -> mark.what().equals("sample") && mark.about().size() == 2)
                .map(mark -> new Sample(
                        mark.nanos(),
                        Long.parseLong(mark.about().getFirst()),
                        Long.parseLong(mark.about().getLast())))
                .toList();
    }
}

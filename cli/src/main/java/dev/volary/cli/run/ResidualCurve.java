// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.display.JobView.SnapshotPoint;
import java.util.ArrayList;
import java.util.List;

/** The residuals of a run of any length in bounded memory: once there are too many points, every second one is dropped. */
final class ResidualCurve {
    /** More than a terminal has dots in a row, and than a forecast needs. */
    static final int MOST = 1024;

    private final List<SnapshotPoint> points = new ArrayList<>();
    private int added;

    void add(SnapshotPoint point) {
        if (points.size() == MOST) {
            List<SnapshotPoint> half = new ArrayList<>();
            for (int i = 0; i < MOST; i += 2) {
                half.add(points.get(i));
            }
            points.clear();
            points.addAll(half);
        }
        points.add(point);
        added++;
    }

    /** Points in the order of their times, the first and the last that were added among them. */
    List<SnapshotPoint> points() {
        return points;
    }

    /** How many points were added. */
    int added() {
        return added;
    }
}

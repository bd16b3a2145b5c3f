// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.cli.display.JobView.SnapshotPoint;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResidualCurveTest {
    private static final int DAYS_OF_SNAPSHOTS = 1_000_000;

    @Test
    void theCurveOfAJobOfDaysStaysShortAndKeepsItsEnds() {
        ResidualCurve curve = new ResidualCurve();
        for (int i = 0; i < DAYS_OF_SNAPSHOTS; i++) {
            curve.add(new SnapshotPoint(Duration.ofMillis(i), i, 1, i));
        }
        List<SnapshotPoint> points = curve.points();
        assertEquals(DAYS_OF_SNAPSHOTS, curve.added());
        assertTrue(points.size() <= ResidualCurve.MOST, points.size() + " points");
        assertEquals(0, points.getFirst().snapshot());
        assertEquals(DAYS_OF_SNAPSHOTS - 1, points.getLast().snapshot());
        assertEquals(
                points.stream()
                        .sorted(Comparator.comparing(SnapshotPoint::time))
                        .toList(),
                points);
    }
}

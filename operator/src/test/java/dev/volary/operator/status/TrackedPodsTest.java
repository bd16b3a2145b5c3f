// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.status;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TrackedPodsTest {
    @Test
    void neighborsWithEqualRestartsAreWrittenAsARange() {
        TreeMap<PodName, Integer> members = new TreeMap<>();
        for (int serial : new int[] {0, 1, 2, 3, 5, 7, 8}) {
            members.put(new PodName(PodRole.DAEMON, serial), serial == 5 ? 2 : 0);
        }
        members.put(new PodName(PodRole.SPAWNER, 0), 0);
        assertEquals("d0-3,d5r2,d7-8,s0", new TrackedPods(members).toString());
    }

    @Test
    void aWrittenTextIsReadBack() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 1000; round++) {
            TreeMap<PodName, Integer> members = new TreeMap<>();
            for (int i = random.nextInt(30); i > 0; i--) {
                PodRole role = random.nextBoolean() ? PodRole.DAEMON : PodRole.SPAWNER;
                members.put(new PodName(role, random.nextInt(40)), random.nextInt(3));
            }
            assertEquals(
                    members,
                    TrackedPods.parse(new TrackedPods(members).toString()).restartsByPod(),
                    "seed " + seed);
        }
    }

    @Test
    void anEmptyTextNamesNoPod() {
        assertEquals("", TrackedPods.parse(null).toString());
        assertEquals("", TrackedPods.parse("").toString());
    }
}

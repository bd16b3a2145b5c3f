// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.Quantity;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerContainerTest {

    @ParameterizedTest
    @CsvSource({"128Mi, 25.0", "384Mi, 45.8", "512Mi, 56.3", "1Gi, 71.9", "1073741824, 71.9", "16Gi, 75.0"})
    void leavesRoomForWhatIsNotHeap(String limit, String percent) {
        assertEquals("-XX:MaxRAMPercentage=" + percent, WorkerContainer.heapOption(new Quantity(limit)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PodOrderTest {
    @Test
    void serialsAreOrderedAsNumbers() {
        assertEquals(
                List.of("heat-d-2", "heat-d-10", "heat-s-0", "heat-s-1"),
                Stream.of("heat-s-1", "heat-d-10", "heat-s-0", "heat-d-2")
                        .sorted(ClusterClient::compareNames)
                        .toList());
    }
}

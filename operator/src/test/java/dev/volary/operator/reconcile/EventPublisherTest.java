// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The API takes notes of 1024 bytes (k8s.io/kubernetes/pkg/apis/core/validation, NoteLengthLimit). */
class EventPublisherTest {
    @Test
    void aNoteThatFitsIsLeftAlone() {
        String fits = "é".repeat(512);
        assertEquals(fits, EventPublisher.cut(fits));
    }

    @Test
    void aNoteThatIsTooLongEndsBetweenCharacters() {
        String cut = EventPublisher.cut("é".repeat(513));
        assertEquals("é".repeat(510) + "…", cut);
        assertEquals(1023, cut.getBytes(StandardCharsets.UTF_8).length);
        assertEquals("a".repeat(1021) + "…", EventPublisher.cut("a".repeat(1025)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class SpoolFullTest {
    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux has a file that is always full")
    void theErrorForAFullSpoolNamesTheFieldToRaise() {
        IOException full = assertThrows(IOException.class, () -> Files.write(Path.of("/dev/full"), new byte[] {1}));
        assertEquals(
                "the disk of a spawner is full (No space left on device); request more of it: set"
                        + " resources.requests.ephemeral-storage of the container \"worker\" in spec.spawners.template to three"
                        + " times the size of the result",
                SpoolFull.explain(full).getMessage());
        IOException other = new IOException("Input/output error");
        assertSame(other, SpoolFull.explain(other));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class WriteFailureTest {
    private static final Path FILE = Path.of("out/c/0");

    @Test
    @EnabledOnOs(OS.LINUX) // /dev/full answers each write as a full disk does
    void aFullDiskIsNamedWithItsRemedyOnce() {
        IOException full = assertThrows(IOException.class, () -> {
            try (FileOutputStream out = new FileOutputStream("/dev/full")) {
                out.write(1);
            }
        });
        assertTrue(WriteFailure.isDiskFull(full));
        IOException twice = WriteFailure.of(Path.of("out"), WriteFailure.of(FILE, full));
        assertEquals(
                "cannot write out: cannot write out/c/0: No space left on device; free space there or choose another"
                        + " output folder",
                twice.getMessage());
    }

    @Test
    void nothingElseSpeaksOfSpace() {
        assertEquals(
                "cannot write out/c/0: permission; make it writable or choose another output folder",
                WriteFailure.of(FILE, new AccessDeniedException("out/c/0", null, "permission"))
                        .getMessage());
        IOException closed = WriteFailure.of(FILE, new ClosedChannelException());
        assertFalse(String.valueOf(closed.getMessage()).contains("space"), closed.getMessage());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.volary.cli.console.Style;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PrefixedLinesTest {
    @Test
    void everyLineStandsBehindItsPodAndAnUnfinishedLineIsShownToo() throws IOException {
        StringWriter out = new StringWriter();
        PrefixedLines lines = new PrefixedLines(new PrintWriter(out), Style.PLAIN);
        lines.copy("heat-d-0", log("one\ntwo\n"));
        lines.copy("heat-s-0", log("ünfinished"));
        assertEquals("heat-d-0 | one\nheat-d-0 | two\nheat-s-0 | ünfinished\n", out.toString());
    }

    private static ByteArrayInputStream log(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers and tables as a person reads them. */
class UnitsTest {

    @Test
    void bytesGoInPowersOf1024() {
        assertEquals("0 B", Units.bytes(0));
        assertEquals("1023 B", Units.bytes(1023));
        assertEquals("1.5 KiB", Units.bytes(1536));
        assertEquals("512 MiB", Units.bytes(512L << 20));
    }

    @Test
    void countsGoInPowersOf1000() {
        assertEquals("999", Units.count(999));
        assertEquals("0.5", Units.count(0.5));
        assertEquals("4.10 k", Units.count(4096));
        assertEquals("12.3 M", Units.count(12_345_678));
        assertEquals("184 M", Units.count(184e6));
    }

    @Test
    void longNumbersAreGrouped() {
        assertEquals("4096", Units.grouped(4096));
        assertEquals("1 048 576", Units.grouped(1 << 20));
    }

    @Test
    void timesChangeTheirUnit() {
        assertEquals("850 ms", Units.time(Duration.ofMillis(850)));
        assertEquals("12.3 s", Units.time(Duration.ofMillis(12_300)));
        assertEquals("4 min 05 s", Units.time(Duration.ofSeconds(245)));
        assertEquals("2 h 03 min", Units.time(Duration.ofMinutes(123)));
    }

    @Test
    void tablesAlignNumbersToTheRight() {
        Table table = new Table("NAME", ">N");
        table.row("a", "1");
        table.row("long", "100");
        assertEquals(List.of("NAME    N", "a       1", "long  100"), table.lines(Style.PLAIN));
    }
}

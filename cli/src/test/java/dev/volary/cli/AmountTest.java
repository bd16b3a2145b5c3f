package dev.volary.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers and tables as a person reads them. */
class AmountTest {

    @Test
    void bytesGoInPowersOf1024() {
        assertEquals("0 B", Amount.bytes(0));
        assertEquals("1023 B", Amount.bytes(1023));
        assertEquals("1.5 KiB", Amount.bytes(1536));
        assertEquals("512 MiB", Amount.bytes(512L << 20));
    }

    @Test
    void countsGoInPowersOf1000() {
        assertEquals("999", Amount.count(999));
        assertEquals("0.5", Amount.count(0.5));
        assertEquals("4.10 k", Amount.count(4096));
        assertEquals("12.3 M", Amount.count(12_345_678));
        assertEquals("184 M", Amount.count(184e6));
    }

    @Test
    void longNumbersAreGrouped() {
        assertEquals("4096", Amount.grouped(4096));
        assertEquals("1 048 576", Amount.grouped(1 << 20));
    }

    @Test
    void timesChangeTheirUnit() {
        assertEquals("850 ms", Amount.time(Duration.ofMillis(850)));
        assertEquals("12.3 s", Amount.time(Duration.ofMillis(12_300)));
        assertEquals("4 min 05 s", Amount.time(Duration.ofSeconds(245)));
        assertEquals("2 h 03 min", Amount.time(Duration.ofMinutes(123)));
    }

    @Test
    void tablesAlignNumbersToTheRight() {
        Table table = new Table("NAME", ">N");
        table.row("a", "1");
        table.row("long", "100");
        assertEquals(List.of("NAME    N", "a       1", "long  100"), table.lines(Style.PLAIN));
    }
}

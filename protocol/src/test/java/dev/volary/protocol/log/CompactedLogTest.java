// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.protocol.message.LogEntry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompactedLogTest {
    private static final LogEntry.ResultComplete COMPLETE = new LogEntry.ResultComplete(1);
    private static final LogEntry.ResultComplete NEWER = new LogEntry.ResultComplete(3);
    private static final LogEntry.VerdictWithdrawn WITHDRAWN = new LogEntry.VerdictWithdrawn(2);

    private final CompactedLog log = new CompactedLog();

    @Test
    void ofEachKindTheNewestRecordIsKept() {
        log.put(1, COMPLETE);
        log.put(2, WITHDRAWN);
        log.put(3, NEWER);
        assertEquals(Optional.of(NEWER), log.newest(LogEntry.ResultComplete.class));
        assertEquals(Optional.of(WITHDRAWN), log.newest(LogEntry.VerdictWithdrawn.class));
        assertEquals(2, log.entries());
    }

    @Test
    void recordsComeInTheOrderOfTheirPositions() {
        log.put(1, COMPLETE);
        log.put(2, WITHDRAWN);
        log.put(3, NEWER);
        assertEquals(List.of(WITHDRAWN, NEWER), log.after(0));
    }

    @Test
    void onlyRecordsBehindThePositionAreWanted() {
        log.put(1, COMPLETE);
        log.put(2, WITHDRAWN);
        assertEquals(List.of(WITHDRAWN), log.after(1));
        assertEquals(List.of(), log.after(2));
    }

    @Test
    void ofTwoKindsTheOneWithTheLaterPositionIsNewer() {
        log.put(1, COMPLETE);
        log.put(2, WITHDRAWN);
        assertTrue(log.isAfter(WITHDRAWN.getClass(), COMPLETE.getClass()));
        log.put(3, NEWER);
        assertFalse(log.isAfter(WITHDRAWN.getClass(), NEWER.getClass()));
    }

    @Test
    void aClearedLogHoldsNothing() {
        log.put(1, COMPLETE);
        log.clear();
        assertEquals(List.of(), log.after(0));
        assertEquals(Optional.empty(), log.newest(LogEntry.ResultComplete.class));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol.log;

import dev.volary.protocol.message.LogEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The newest record of each kind, in the order of their positions: all that a reader of the log can want. */
final class CompactedLog {
    private record Placed(long position, LogEntry record) {}

    private final Map<Class<? extends LogEntry>, Placed> newest = new LinkedHashMap<>();

    void put(long position, LogEntry record) {
        newest.remove(record.getClass());
        newest.put(record.getClass(), new Placed(position, record));
    }

    void clear() {
        newest.clear();
    }

    /** All records behind this position. */
    List<LogEntry> after(long position) {
        List<LogEntry> records = new ArrayList<>();
        newest.values().stream().filter(placed -> placed.position() > position).forEach(p -> records.add(p.record()));
        return records;
    }

    <T extends LogEntry> Optional<T> newest(Class<T> kind) {
        return Optional.ofNullable(newest.get(kind)).map(placed -> kind.cast(placed.record()));
    }

    /** Whether the newest record of one kind has a later position than that of another; both must be there. */
    boolean isAfter(Class<? extends LogEntry> kind, Class<? extends LogEntry> other) {
        return Objects.requireNonNull(newest.get(kind)).position()
                > Objects.requireNonNull(newest.get(other)).position();
    }

    int entries() {
        return newest.size();
    }
}

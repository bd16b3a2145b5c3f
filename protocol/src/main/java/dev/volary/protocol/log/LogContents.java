package dev.volary.protocol.log;

import dev.volary.protocol.LogRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The newest record of each kind, in the order of their positions: all that a reader of the log can want. */
final class LogContents {
    private record Placed(long position, LogRecord record) {}

    private final Map<Class<? extends LogRecord>, Placed> newest = new LinkedHashMap<>();

    void put(long position, LogRecord record) {
        newest.remove(record.getClass());
        newest.put(record.getClass(), new Placed(position, record));
    }

    void clear() {
        newest.clear();
    }

    /** All records behind this position. */
    List<LogRecord> after(long position) {
        List<LogRecord> records = new ArrayList<>();
        newest.values().stream().filter(placed -> placed.position() > position).forEach(p -> records.add(p.record()));
        return records;
    }

    <T extends LogRecord> Optional<T> newest(Class<T> kind) {
        return Optional.ofNullable(newest.get(kind)).map(placed -> kind.cast(placed.record()));
    }

    int entries() {
        return newest.size();
    }
}

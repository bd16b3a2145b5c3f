// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.cluster.client.BlockMap;
import dev.volary.cli.console.Style;
import dev.volary.cli.console.Table;
import dev.volary.cli.console.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Formats a {@link BlockMap} as tables. */
final class BlockMapText {
    private static final String UNKNOWN = "-";

    private BlockMapText() {}

    static List<String> lines(BlockMap map, Style style) {
        List<String> lines = new ArrayList<>();
        lines.add(map.leader().map(leader -> "leader " + leader).orElse("no leader") + ", term " + map.term() + "; "
                + (map.copies() == 0 ? "the backup store is not open yet" : map.copies() + " backups of each block"));
        lines.add("");
        lines.addAll(workers(map).lines(style));
        lines.add("");
        lines.addAll(blocks(map).lines(style));
        return lines;
    }

    private static Table workers(BlockMap map) {
        Table table = new Table("DAEMON", "SPAWNER", "ZONE", "BLOCKS", ">LAST HEARTBEAT");
        map.workers()
                .forEach(worker -> table.row(
                        worker.pod(),
                        worker.spawner(),
                        worker.zone().isEmpty() ? UNKNOWN : worker.zone(),
                        worker.standby() ? "standby" : worker.blocks().isEmpty() ? UNKNOWN : ranges(worker.blocks()),
                        worker.silentMillis() < 0
                                ? "never"
                                : Units.time(Duration.ofMillis(worker.silentMillis())) + " ago"));
        return table;
    }

    private static Table blocks(BlockMap map) {
        Table table = new Table(
                ">BLOCK", "SERVED BY", ">INCARNATION", ">ITERATION", ">LOCAL HINT", ">BACKED UP AT", "BACKUPS ON");
        int count =
                Math.max(map.blocks(), map.served().isEmpty() ? 0 : map.served().lastKey() + 1);
        for (int number = 0; number < count; number++) {
            BlockMap.Block block = map.served().get(number);
            if (block == null) {
                table.row(String.valueOf(number), "unknown", UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
            } else {
                table.row(
                        String.valueOf(number),
                        block.pod(),
                        block.incarnationText(),
                        Units.grouped(block.iteration()),
                        hint(block.hint(), map.scale()),
                        block.backup() < 0 ? UNKNOWN : Units.grouped(block.backup()),
                        block.holders().isEmpty() ? UNKNOWN : String.join(", ", block.holders()));
            }
        }
        return table;
    }

    private static String hint(double absolute, double scale) {
        return !Double.isFinite(absolute) ? UNKNOWN : Units.small(scale > 0 ? absolute / scale : absolute);
    }

    /** {@code 0-3, 7} for 0, 1, 2, 3, 7. */
    private static String ranges(List<Integer> sorted) {
        List<int[]> ranges = new ArrayList<>();
        for (int number : sorted) {
            if (!ranges.isEmpty() && ranges.getLast()[1] == number - 1) {
                ranges.getLast()[1] = number;
            } else {
                ranges.add(new int[] {number, number});
            }
        }
        return ranges.stream()
                .map(r -> r[0] == r[1] ? String.valueOf(r[0]) : r[0] + "-" + r[1])
                .collect(Collectors.joining(", "));
    }
}

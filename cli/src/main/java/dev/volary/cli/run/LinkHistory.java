// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.cli.result.LinkRecord;
import dev.volary.mesh.v1.LinkReport;
import dev.volary.mesh.v1.LinkReports;
import dev.volary.mesh.v1.ReceivingEnd;
import dev.volary.mesh.v1.SendingEnd;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Merges the two ends of each link, which different daemons report. */
final class LinkHistory {
    private record Blocks(int from, int to) {}

    private final Map<Blocks, LinkRecord> links =
            new TreeMap<>(Comparator.comparingInt(Blocks::from).thenComparingInt(Blocks::to));

    void take(LinkReports reports) {
        for (LinkReport report : reports.getLinksList()) {
            LinkRecord end = read(report);
            links.merge(new Blocks(end.from(), end.to()), end, LinkHistory::join);
        }
    }

    /** All links, sorted by sending and reading block. */
    List<LinkRecord> records() {
        return List.copyOf(links.values());
    }

    private static LinkRecord join(LinkRecord one, LinkRecord other) {
        return new LinkRecord(
                one.from(), one.to(), one.sent().or(other::sent), one.received().or(other::received));
    }

    private static LinkRecord read(LinkReport report) {
        return new LinkRecord(
                report.getFrom(),
                report.getTo(),
                report.hasSending() ? Optional.of(read(report.getSending())) : Optional.empty(),
                report.hasReceiving() ? Optional.of(read(report.getReceiving())) : Optional.empty());
    }

    private static LinkRecord.Sent read(SendingEnd end) {
        return new LinkRecord.Sent(
                end.getFrames(),
                end.getBytes(),
                end.getConflated(),
                end.getReconnects(),
                end.hasRoundTripNanos() ? Optional.of(Duration.ofNanos(end.getRoundTripNanos())) : Optional.empty());
    }

    private static LinkRecord.Received read(ReceivingEnd end) {
        return new LinkRecord.Received(
                end.getFrames(),
                end.getBytes(),
                end.getConflated(),
                end.getDropped(),
                end.getCorrupt(),
                end.hasAge()
                        ? Optional.of(new LinkRecord.HaloAge(
                                Duration.ofNanos(end.getAge().getNanos()),
                                end.getAge().getIterations()))
                        : Optional.empty());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.mesh.link.LinkTelemetry;
import dev.volary.mesh.v1.HaloAge;
import dev.volary.mesh.v1.LinkReport;
import dev.volary.mesh.v1.LinkReports;
import dev.volary.mesh.v1.ReceivingEnd;
import dev.volary.mesh.v1.SendingEnd;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.worker.compute.BlockRunner;
import dev.volary.worker.compute.ComputeEngine;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Collects what this daemon's ends of links have seen, for the record of the run. */
final class LinkStatistics {
    private LinkStatistics() {}

    /** As of now; from any thread. */
    static LinkReports of(Decomposition decomposition, ComputeEngine engine, Collection<BlockRunner> runners) {
        LinkReports.Builder reports = LinkReports.newBuilder();
        for (BlockRunner runner : runners) {
            for (Edge edge : decomposition.outgoing(runner.id())) {
                int length = edge.haloSize();
                LinkTelemetry seen =
                        engine.outgoing(edge.from(), edge.to(), length).telemetry();
                reports.addLinks(report(edge).setSending(sending(seen)));
            }
            List<Edge> incoming = decomposition.incoming(runner.id());
            for (int k = 0; k < incoming.size(); k++) {
                Edge edge = incoming.get(k);
                int length = edge.haloSize();
                LinkTelemetry seen =
                        engine.incoming(edge.from(), edge.to(), length).telemetry();
                reports.addLinks(report(edge).setReceiving(receiving(seen, runner.haloAge(k))));
            }
        }
        return reports.build();
    }

    private static LinkReport.Builder report(Edge edge) {
        return LinkReport.newBuilder().setFrom(edge.from()).setTo(edge.to());
    }

    private static SendingEnd sending(LinkTelemetry seen) {
        SendingEnd.Builder end = SendingEnd.newBuilder()
                .setFrames(seen.frames())
                .setBytes(seen.bytes())
                .setConflated(seen.conflated())
                .setReconnects(seen.reconnects());
        seen.roundTrip().map(Duration::toNanos).ifPresent(end::setRoundTripNanos);
        return end.build();
    }

    private static ReceivingEnd receiving(LinkTelemetry seen, long ageIterations) {
        ReceivingEnd.Builder end = ReceivingEnd.newBuilder()
                .setFrames(seen.frames())
                .setBytes(seen.bytes())
                .setConflated(seen.conflated())
                .setDropped(seen.dropped())
                .setCorrupt(seen.corrupt());
        seen.age()
                .ifPresent(age ->
                        end.setAge(HaloAge.newBuilder().setNanos(age.toNanos()).setIterations(ageIterations)));
        return end.build();
    }
}

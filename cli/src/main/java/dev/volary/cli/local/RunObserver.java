// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.mesh.v1.LinkReports;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.Member;
import dev.volary.protocol.model.WorkerId;
import java.time.Duration;
import java.util.Map;

/** Receives the events of a run, on the thread of the run. */
public interface RunObserver {

    /** A worker is ready. */
    void ready(Member worker);

    /**
     * The leader reports an event.
     *
     * @param names names of all workers that are ready
     */
    void event(JobEvent event, Map<WorkerId, String> names);

    /** A worker process started, ended, or was subject to fault injection. */
    void processEvent(ProcessEvent event);

    /** A daemon that ends reports the statistics of its links. */
    void links(LinkReports links);

    /** A daemon that ends reports its blocks when they were recorded for the newest snapshot. */
    void recorded(DaemonReport report);

    /** Processor time of all workers that there ever were, some times a second. */
    void coreTime(Duration all);

    /** Called ten times a second, for example to redraw. */
    void tick();
}

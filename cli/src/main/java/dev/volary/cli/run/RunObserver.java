// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.mesh.v1.LinkReports;
import dev.volary.protocol.JobEvent;
import dev.volary.protocol.Member;
import dev.volary.protocol.WorkerId;
import java.util.Map;

/** Told what happens during a run, on the run's own thread. */
interface RunObserver {

    /** A worker is up and listens. */
    void ready(Member worker);

    /**
     * The lead tells something.
     *
     * @param names of all workers that are up
     */
    void event(JobEvent event, Map<WorkerId, String> names);

    /** Something befell a worker's process. */
    void happened(ProcessEvent happening);

    /** A daemon's last words: what its ends of links have seen. */
    void links(LinkReports links);

    /** Some time has passed: a chance to redraw. */
    void tick();
}

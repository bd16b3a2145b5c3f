// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.runtime;

import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.LinkReports;
import dev.volary.mesh.v1.Ready;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.message.ProgressMessage.DaemonReport;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import dev.volary.worker.result.FilePartRepository;
import dev.volary.worker.result.PartRepository;
import io.grpc.ServerServiceDefinition;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Connects a worker with its surroundings: the arbiter, and the clients that want its status. In local mode that is the process
 * that started it, on a cluster the API server and the callers of its API. No method blocks.
 */
public interface HostChannel {

    /** The worker listens. */
    void ready(Ready ready);

    /** Answered by {@link dev.volary.protocol.machine.SpawnerEvent.ArbiterAnswered}, or not. */
    void readArbiter();

    /** Answered as {@link #readArbiter}. */
    void compareAndSet(LeaderElectionRecord expected, LeaderElectionRecord next);

    void event(JobEvent event);

    /** The job is over; said by the leader. */
    void finished(JobOutcome outcome);

    /** What the links had seen when computing was over. */
    void links(LinkReports links);

    /** The blocks of a daemon that ends, when they were recorded for the newest snapshot. */
    default void recorded(DaemonReport report) {}

    /** Reports why this worker cannot continue. */
    void failure(String reason);

    /** Where recorded parts become durable. */
    default PartRepository partRepository(JobDescription job) {
        return new FilePartRepository(Path.of(job.getResultFolder()));
    }

    /** The spawners that keep parts and results for each other; none where all workers see one folder. */
    default Optional<OtherSpawners> otherSpawners() {
        return Optional.empty();
    }

    /** What is served on the control port beside the mesh. */
    default List<ServerServiceDefinition> services(SpiffeId me) {
        return List.of();
    }

    /** A message or an acknowledgement of another worker arrived. */
    default void receivedFrom(WorkerId peer) {}

    /** A message of another worker was refused, because its role may not send it. */
    default void messageRefused() {}

    /** Who keeps copies in this worker's group now. */
    default void holders(List<BackupHolder> holders) {}

    /** The job is over for this daemon: nothing is left to hand over. */
    default void stopped() {}

    /** Progress of this daemon's blocks; a few times a second. */
    default void sampled(List<BlockProgress> blocks) {}
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.pod;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.volary.mesh.codec.LocalCodec;
import dev.volary.mesh.spawnerapi.SpawnerGrpcService;
import dev.volary.mesh.spawnerapi.WorkerApi;
import dev.volary.mesh.tls.SpiffeId;
import dev.volary.mesh.v1.JobDescription;
import dev.volary.mesh.v1.LinkReports;
import dev.volary.mesh.v1.Ready;
import dev.volary.protocol.machine.JobEvent;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.machine.LeaderElectionRecord;
import dev.volary.protocol.message.ProgressMessage.BlockProgress;
import dev.volary.protocol.model.BackupHolder;
import dev.volary.protocol.model.WorkerId;
import dev.volary.worker.result.PartRepository;
import dev.volary.worker.runtime.HostChannel;
import dev.volary.worker.runtime.OtherSpawners;
import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A pod's worker and its surroundings: the Lease is the arbiter, the log and the ring of events are the display. */
final class PodHostChannel implements HostChannel {
    private final JsonLog log;
    private final PodMetrics metrics;
    private final Optional<AsyncArbiter> arbiter;
    private final Optional<JobStatusView> statusView;
    private final SpawnerDiscovery spawners;
    private final Optional<PodSpawnerApi> spawner;
    private final WorkerApi workerCalls;
    private final Runnable onStopped;
    private final Consumer<String> onFailure;

    /**
     * @param arbiter spawners have one
     * @param statusView and collect what is asked of them
     * @param onStopped called when this daemon has nothing to compute any more
     * @param onFailure receives the reason why the worker cannot continue
     */
    PodHostChannel(
            JsonLog log,
            PodMetrics metrics,
            Optional<AsyncArbiter> arbiter,
            Optional<JobStatusView> statusView,
            SpawnerDiscovery spawners,
            Optional<PodSpawnerApi> spawner,
            WorkerApi workerCalls,
            Runnable onStopped,
            Consumer<String> onFailure) {
        this.log = log;
        this.metrics = metrics;
        this.arbiter = arbiter;
        this.statusView = statusView;
        this.spawners = spawners;
        this.spawner = spawner;
        this.workerCalls = workerCalls;
        this.onStopped = onStopped;
        this.onFailure = onFailure;
    }

    @Override
    public void ready(Ready ready) {
        var member = ready.getMember();
        log.info("node %x listens on %s:%d".formatted(member.getId(), member.getHost(), member.getPort()));
    }

    @Override
    public void readArbiter() {
        arbiter.ifPresent(AsyncArbiter::read);
    }

    @Override
    public void compareAndSet(LeaderElectionRecord expected, LeaderElectionRecord next) {
        arbiter.ifPresent(a -> a.compareAndSet(expected, next));
    }

    @Override
    public void event(JobEvent event) {
        if (event instanceof JobEvent.Progress) {
            return; // clients ask for it; it is not logged
        }
        metrics.event(event);
        statusView.ifPresent(b -> b.event(event));
        try {
            log.event(JsonFormat.printer()
                    .omittingInsignificantWhitespace()
                    .preservingProtoFieldNames()
                    .print(LocalCodec.write(event)));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("an event without any-typed fields can always be printed", e);
        }
    }

    @Override
    public void finished(JobOutcome outcome) {
        log.info("the job is over: " + outcome);
        statusView.ifPresent(b -> b.finished(outcome));
    }

    @Override
    public void links(LinkReports links) {
        // Metrics say it while it is of use.
    }

    @Override
    public void failure(String reason) {
        log.error(reason);
        onFailure.accept(reason);
    }

    @Override
    public PartRepository partRepository(JobDescription job) {
        return new RemotePartRepository(spawners, job.getResultCopies(), RemotePartRepository.SEARCH);
    }

    @Override
    public Optional<OtherSpawners> otherSpawners() {
        return spawner.map(one -> one);
    }

    @Override
    public List<ServerServiceDefinition> services(SpiffeId me) {
        ServerServiceDefinition own = SpawnerGrpcService.worker(me, workerCalls);
        return spawner.map(calls -> List.of(SpawnerGrpcService.spawner(me, calls), own))
                .orElse(List.of(own));
    }

    @Override
    public void receivedFrom(WorkerId peer) {
        statusView.ifPresent(b -> b.receivedFrom(peer));
    }

    @Override
    public void messageRefused() {
        metrics.messageRefused();
    }

    @Override
    public void holders(List<BackupHolder> holders) {
        statusView.ifPresent(b -> b.holders(holders));
    }

    @Override
    public void stopped() {
        onStopped.run();
    }

    @Override
    public void sampled(List<BlockProgress> blocks) {
        metrics.sampled(blocks);
    }
}

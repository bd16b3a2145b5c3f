// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.job.resource.Names;
import dev.volary.mesh.v1.StatusReply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The processes in all pods, and the jobs that they compute. */
public final class SimulatedWorkers {
    private static final Duration TICK = Duration.ofSeconds(1);

    private final VirtualTime time;
    private final SimulatedApiServer server;
    private final Map<String, SimulatedProcess> processes = new LinkedHashMap<>();
    private final Map<String, SimulatedJob> jobs = new TreeMap<>();
    private String newest = "";
    private boolean isStorageUp = true;
    private SimulatedJob.Workload workload = new SimulatedJob.Workload(Duration.ofSeconds(60), Duration.ofSeconds(20));

    SimulatedWorkers(VirtualTime time, SimulatedApiServer server) {
        this.time = time;
        this.server = server;
        time.every(TICK, () -> {
            jobs.values().forEach(job -> job.pass(TICK, isStorageUp));
            return true;
        });
    }

    /** Sets whether the storage of results can be written. */
    public void storage(boolean isUp) {
        isStorageUp = isUp;
    }

    /** Sets what jobs that start from now on compute. */
    public void workload(SimulatedJob.Workload next) {
        workload = next;
    }

    /** A job by its UID; null if none of its workers has started. */
    public @Nullable SimulatedJob job(String uid) {
        return jobs.get(uid);
    }

    /** All jobs of which a worker has started. */
    public List<SimulatedJob> jobs() {
        return List.copyOf(jobs.values());
    }

    /** Whether the volumes of a pod exist. */
    boolean canStart(ObjectNode pod) {
        return identity(pod) != null && description(pod) != null;
    }

    private @Nullable ObjectNode identity(ObjectNode pod) {
        return server.get("secrets", SimulatedCluster.NAMESPACE, Names.identity(SimulatedApiServer.name(pod)));
    }

    private @Nullable ObjectNode description(ObjectNode pod) {
        String job = SimulatedApiServer.meta(pod)
                .path("labels")
                .path("volary.dev/job")
                .asText();
        return server.get("configmaps", SimulatedCluster.NAMESPACE, Names.description(job));
    }

    void started(ObjectNode pod, String address) {
        String uid = SimulatedApiServer.uid(pod);
        SimulatedProcess earlier = processes.get(uid);
        ObjectNode identity = identity(pod);
        ObjectNode description = description(pod);
        if (earlier == null && (identity == null || description == null)) {
            return;
        }
        // a container that is restarted still has the files of the pod
        String owner = earlier != null || description == null
                ? Objects.requireNonNull(earlier).job()
                : SimulatedApiServer.owner(description);
        String authority = earlier != null || identity == null
                ? Objects.requireNonNull(earlier).authority()
                : identity.path("data").path(Names.AUTHORITY_CERTIFICATE).asText();
        SimulatedProcess process = new SimulatedProcess(
                uid,
                SimulatedApiServer.name(pod),
                SimulatedApiServer.meta(pod)
                        .path("labels")
                        .path("app.kubernetes.io/component")
                        .asText()
                        .equals("spawner"),
                address,
                authority,
                owner);
        processes.put(uid, process);
        newest = owner;
        jobs.computeIfAbsent(owner, each -> new SimulatedJob(time, each, jobs.size() + 1, workload))
                .joined(process);
    }

    boolean isAlive(String podUid) {
        SimulatedProcess process = processes.get(podUid);
        return process != null && process.isAlive();
    }

    /** @param isForGood whether the files of the pod are lost, too */
    void ended(String podUid, boolean isForGood) {
        SimulatedProcess process = processes.get(podUid);
        if (process != null) {
            process.end();
            jobs.values().forEach(job -> job.left(podUid, isForGood));
        }
    }

    void crashed(String podUid, int code, String reason) {
        SimulatedProcess process = processes.get(podUid);
        if (process != null) {
            jobs.values().stream()
                    .filter(job -> job.uid().equals(process.job()))
                    .forEach(job -> job.exits().crashed(podUid, code, reason));
        }
        ended(podUid, false);
    }

    void cutOff(String podUid, boolean now) {
        SimulatedProcess process = processes.get(podUid);
        if (process != null) {
            process.cutOff(now);
        }
    }

    /** The living spawners. */
    public List<SimulatedProcess> spawners() {
        return processes.values().stream()
                .filter(process -> process.isAlive() && process.isSpawner())
                .toList();
    }

    /**
     * The answer of the spawner at an address. Where an address is shared, a worker of another job that is older has the port.
     *
     * @param pod name of the pod that the caller means
     * @param authority certificate of the authority that the caller trusts, encoded as in a Secret; empty to trust all
     * @return empty if there is none, it does not answer, or it does not trust the caller
     */
    public Optional<StatusReply> ask(String pod, String address, String authority) {
        return processes.values().stream()
                .filter(process -> process.isAlive()
                        && process.isSpawner()
                        && process.address().equals(address)
                        && (process.pod().equals(pod) || !process.job().equals(newest)))
                .findFirst()
                .filter(process -> process.answers(time.now())
                        && (authority.isEmpty() || process.authority().equals(authority)))
                .flatMap(process -> Optional.ofNullable(jobs.get(process.job())).map(job -> job.reply(process)));
    }
}

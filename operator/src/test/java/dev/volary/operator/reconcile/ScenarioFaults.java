// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.volary.operator.reconcile.OperatorScenario.Fault;
import dev.volary.operator.simulated.ApiRequest;
import dev.volary.operator.simulated.SimulatedApiServer;
import dev.volary.operator.simulated.SimulatedCluster;
import dev.volary.operator.simulated.SimulatedProcess;
import dev.volary.operator.simulated.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** Plans what persons and the cluster do to a job during a scenario, at times that a seed chooses. */
final class ScenarioFaults {
    static final String JOB = "heat";
    private static final String JOBS = "iterativejobs";
    /** Half of the lifetime of an identity, which begins a day before it is issued. */
    private static final Duration UNTIL_RENEWAL =
            Duration.ofDays(31).dividedBy(2).minusDays(1);
    /** Objects of a job that a person deletes, or that another owner has first. */
    private static final List<Map.Entry<String, String>> OBJECTS = List.of(
            Map.entry("configmaps", "volary-heat-job"),
            Map.entry("leases", "heat-lead"),
            Map.entry("services", "volary-heat-d"),
            Map.entry("services", "volary-heat-s"),
            Map.entry("networkpolicies", "volary-heat-daemons"),
            Map.entry("roles", "volary-heat-spawner"),
            Map.entry("rolebindings", "volary-heat-spawner"),
            Map.entry("serviceaccounts", "volary-heat-spawner"));

    private static final List<Map.Entry<String, String>> SECRETS_AND_PODS = List.of(
            Map.entry("secrets", "volary-heat-ca"),
            Map.entry("secrets", "volary-heat-d-1-identity"),
            Map.entry("secrets", "volary-heat-s-0-identity"),
            Map.entry("secrets", "volary-heat-d-3-identity"),
            Map.entry("pods", "heat-d-0"),
            Map.entry("pods", "heat-d-2"),
            Map.entry("pods", "heat-s-1"));

    private final OperatorScenario scenario;
    private final Random random;
    private final VirtualTime time;
    private final SimulatedApiServer server;
    private final SimulatedCluster cluster;
    private final Duration end;
    private boolean isOver;

    ScenarioFaults(
            OperatorScenario scenario,
            Random random,
            VirtualTime time,
            SimulatedApiServer server,
            SimulatedCluster cluster,
            Duration end) {
        this.scenario = scenario;
        this.random = random;
        this.time = time;
        this.server = server;
        this.cluster = cluster;
        this.end = end;
    }

    /** Plans everything; the job is created at once, or some seconds later. */
    void plan() {
        if (scenario.has(Fault.NAMES)) {
            takeNames();
        }
        time.after(Duration.ofMillis(random.nextInt(2000)), this::createJob);
        times(Fault.PODS, 8, () -> hurt(random.nextInt(6)));
        times(Fault.NODES, 3, this::loseNode);
        times(Fault.FULL_NODES, 2, () -> during(20, 90, cluster::full));
        times(
                Fault.QUOTA,
                2,
                () -> during(
                        20,
                        90,
                        now -> server.refusePods(pod -> now
                                ? Optional.of("pods \"x\" is forbidden: exceeded quota: small, requested: pods=1")
                                : Optional.empty())));
        times(Fault.SCALING, 3, () -> spec(spec -> scale(daemons(spec))));
        times(Fault.SUSPENSION, 2, () -> during(5, 100, now -> spec(spec -> spec.put("suspend", now))));
        times(
                Fault.CHECKPOINTS,
                2,
                () -> server.change(
                        JOBS,
                        SimulatedCluster.NAMESPACE,
                        JOB,
                        job -> SimulatedApiServer.meta(job)
                                .putObject("annotations")
                                .put("volary.dev/checkpoint-request", "r" + random.nextInt(100))));
        times(Fault.SILENCE, 4, () -> spawner(each -> each.silence(time.now().plusSeconds(1 + random.nextInt(60)))));
        times(
                Fault.OLD_REPORTS,
                3,
                () -> spawner(each -> each.outdate(time.now().plusSeconds(1 + random.nextInt(40)))));
        times(Fault.DELETIONS, 3, this::deleteObject);
        times(Fault.SECRETS, 3, this::deleteSecret);
        times(Fault.DAYS, 2, () -> time.skip(UNTIL_RENEWAL.minusSeconds(random.nextInt(60))));
        times(Fault.STORAGE, 2, () -> during(5, 60, now -> cluster.workers().storage(!now)));
        if (scenario.has(Fault.NO_STORAGE)) {
            cluster.workers().storage(false);
        }
        if (scenario.has(Fault.RECREATION)) {
            time.after(Duration.ofMillis(random.nextLong(end.toMillis() / 3)), () -> deleteJob(false));
        }
        if (scenario.has(Fault.FOREGROUND)) {
            time.after(anyTime().plusSeconds(3), () -> deleteJob(true));
        }
        time.after(end, this::stop);
    }

    private void stop() {
        isOver = true;
        cluster.full(false);
        cluster.workers().storage(!scenario.has(Fault.NO_STORAGE));
        server.refusePods(pod -> Optional.empty());
        spec(spec -> spec.put("suspend", false));
        if (server.get(JOBS, SimulatedCluster.NAMESPACE, JOB) == null && scenario.has(Fault.RECREATION)) {
            createJob();
        }
    }

    private Duration anyTime() {
        return Duration.ofMillis(random.nextLong(end.toMillis()));
    }

    private void times(Fault fault, int most, Runnable what) {
        if (scenario.has(fault)) {
            int times = 1 + random.nextInt(most);
            for (int i = 0; i < times; i++) {
                time.after(anyTime(), () -> {
                    if (!isOver) {
                        what.run();
                    }
                });
            }
        }
    }

    private void during(int leastSeconds, int mostSeconds, Consumer<Boolean> what) {
        what.accept(true);
        time.after(Duration.ofSeconds(leastSeconds + random.nextInt(mostSeconds - leastSeconds + 1)), () -> {
            if (!isOver) {
                what.accept(false);
            }
        });
    }

    private void createJob() {
        var _ = server.execute(
                new ApiRequest("create", JOBS, SimulatedCluster.NAMESPACE, "", "", "", scenario.manifest()));
    }

    private void deleteJob(boolean inForeground) {
        if (inForeground) {
            server.change(
                    JOBS,
                    SimulatedCluster.NAMESPACE,
                    JOB,
                    job -> SimulatedApiServer.meta(job)
                            .put("deletionTimestamp", time.now().toString()));
            return;
        }
        server.remove(JOBS, SimulatedCluster.NAMESPACE, JOB);
        time.after(Duration.ofMillis(random.nextInt(random.nextBoolean() ? 500 : 20_000)), this::createJob);
    }

    private void spec(Consumer<ObjectNode> change) {
        server.change(JOBS, SimulatedCluster.NAMESPACE, JOB, job -> change.accept((ObjectNode) job.get("spec")));
    }

    private static ObjectNode daemons(ObjectNode spec) {
        return (ObjectNode) spec.get("daemons");
    }

    private void scale(ObjectNode daemons) {
        daemons.put("replicas", 1 + random.nextInt(4));
        if (daemons.path("standbys").asInt() > 0) {
            daemons.put("standbys", 1 + random.nextInt(2));
        }
    }

    private void deleteSecret() {
        List<ObjectNode> secrets = server.list("secrets");
        if (!secrets.isEmpty()) {
            ObjectNode secret = secrets.get(random.nextInt(secrets.size()));
            server.remove("secrets", SimulatedCluster.NAMESPACE, SimulatedApiServer.name(secret));
        }
    }

    /** A pod is lost, or its container ends, in one of six ways. */
    void hurt(int how) {
        List<ObjectNode> pods = server.list("pods").stream()
                .filter(pod -> !SimulatedApiServer.owner(pod).isEmpty())
                .toList();
        if (pods.isEmpty()) {
            return;
        }
        ObjectNode pod = pods.get(random.nextInt(pods.size()));
        switch (how) {
            case 0 -> cluster.delete(pod);
            case 1 -> cluster.evict(pod, true);
            case 2 -> cluster.evict(pod, false);
            case 3 -> cluster.crash(pod, 137, "OOMKilled");
            case 4 -> cluster.crash(pod, 137, "Error");
            default -> cluster.crash(pod, 1, "Error");
        }
    }

    private void loseNode() {
        List<String> nodes = cluster.healthyNodes();
        if (nodes.size() > 1) {
            cluster.loseNode(
                    nodes.get(random.nextInt(nodes.size())),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    Duration.ofSeconds(10 + random.nextInt(140)));
        }
    }

    private void spawner(Consumer<SimulatedProcess> what) {
        List<SimulatedProcess> spawners = cluster.workers().spawners();
        if (!spawners.isEmpty()) {
            what.accept(spawners.get(random.nextInt(spawners.size())));
        }
    }

    private void deleteObject() {
        Map.Entry<String, String> object = OBJECTS.get(random.nextInt(OBJECTS.size()));
        server.remove(object.getKey(), SimulatedCluster.NAMESPACE, object.getValue());
    }

    private void takeNames() {
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            List<Map.Entry<String, String>> from = random.nextBoolean() ? OBJECTS : SECRETS_AND_PODS;
            Map.Entry<String, String> object = from.get(random.nextInt(from.size()));
            time.after(
                    random.nextBoolean() ? Duration.ZERO : anyTime(), () -> take(object.getKey(), object.getValue()));
        }
    }

    private void take(String resource, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", resource.equals("leases") ? "coordination.k8s.io/v1" : "v1");
        object.put("kind", kind(resource));
        object.putObject("metadata").put("name", name).putObject("labels").put("foreign", "yes");
        object.putObject("spec");
        var answer = server.execute(
                new ApiRequest("create", resource, SimulatedCluster.NAMESPACE, "", "", "", object.toString()));
        if (answer.isSuccess()) {
            String uid = SimulatedApiServer.uid(answer.body());
            Duration left = end.minus(time.elapsed());
            time.after(Duration.ofMillis(random.nextLong(Math.max(1, left.toMillis()))), () -> {
                ObjectNode found = server.get(resource, SimulatedCluster.NAMESPACE, name);
                if (found != null && SimulatedApiServer.uid(found).equals(uid)) {
                    server.remove(resource, SimulatedCluster.NAMESPACE, name);
                }
            });
        }
    }

    private static String kind(String resource) {
        return switch (resource) {
            case "configmaps" -> "ConfigMap";
            case "leases" -> "Lease";
            case "services" -> "Service";
            case "networkpolicies" -> "NetworkPolicy";
            case "roles" -> "Role";
            case "rolebindings" -> "RoleBinding";
            case "serviceaccounts" -> "ServiceAccount";
            case "secrets" -> "Secret";
            case "pods" -> "Pod";
            default -> throw new IllegalArgumentException(resource);
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Scheduler and kubelets: binds pods to nodes, starts their workers once their Secret and ConfigMap exist, restarts containers, and
 * removes pods that are deleted. Faults of pods and nodes are methods.
 */
public final class SimulatedCluster {
    /** The namespace of all objects. */
    public static final String NAMESPACE = "lab";

    static final String NODES = "nodes";
    private static final int PODS_PER_NODE = 6;
    private static final Duration UNTIL_NOT_READY = Duration.ofSeconds(40);
    private static final Duration TOLERATED = Duration.ofSeconds(30);
    private static final Duration POD_COLLECTION = Duration.ofSeconds(20);

    private final VirtualTime time;
    private final SimulatedApiServer server;
    private final Random random;
    private final SimulatedWorkers workers;
    private final Set<String> lostNodes = new HashSet<>();
    private final Set<String> terminating = new HashSet<>();
    private final Set<String> stopping = new HashSet<>();
    private boolean isFull;
    private boolean hasHostNetwork;
    private int nodes;
    private int addresses;

    /** @param nodes number of nodes */
    public SimulatedCluster(
            VirtualTime time, SimulatedApiServer server, Random random, Duration collection, int nodes) {
        this.time = time;
        this.server = server;
        this.random = random;
        this.workers = new SimulatedWorkers(time, server);
        for (int i = 0; i < nodes; i++) {
            addNode();
        }
        server.onChange(this::look);
        var _ = new GarbageCollector(time, server, random, collection);
    }

    /** The workers in the pods. */
    public SimulatedWorkers workers() {
        return workers;
    }

    /** Sets whether no node has room for a further pod. */
    public void full(boolean now) {
        isFull = now;
    }

    /** All pods of a node have its address from now on. */
    public void useHostNetwork() {
        hasHostNetwork = true;
    }

    private void addNode() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("apiVersion", "v1").put("kind", "Node");
        node.putObject("metadata").put("name", "n" + nodes++);
        node.putObject("spec");
        node.putObject("status");
        var _ = server.execute(new ApiRequest("create", NODES, "", "", "", "", node.toString()));
    }

    private Duration millis(int from, int to) {
        return Duration.ofMillis(from + random.nextInt(to - from + 1));
    }

    private void look(SimulatedApiServer.Change change) {
        if (!change.resource().equals(SimulatedApiServer.PODS)) {
            return;
        }
        ObjectNode pod = change.object();
        String name = SimulatedApiServer.name(pod);
        String uid = SimulatedApiServer.uid(pod);
        switch (change.kind()) {
            case ADDED -> time.after(millis(20, 800), () -> schedule(name, uid));
            case MODIFIED -> {
                if (SimulatedApiServer.meta(pod).has("deletionTimestamp") && terminating.add(uid)) {
                    boolean isSlow = random.nextInt(6) == 0;
                    time.after(isSlow ? millis(10_000, 45_000) : millis(50, 9000), () -> terminate(name, uid));
                } else if (pod.path("spec").path("activeDeadlineSeconds").asInt() > 0 && stopping.add(uid)) {
                    time.after(Duration.ofSeconds(1), () -> stop(name, uid));
                }
            }
            case DELETED -> workers.ended(uid, true);
        }
    }

    private @Nullable ObjectNode pod(String name, String uid) {
        ObjectNode pod = server.get(SimulatedApiServer.PODS, NAMESPACE, name);
        return pod != null && SimulatedApiServer.uid(pod).equals(uid) ? pod : null;
    }

    private void change(String name, String uid, Consumer<ObjectNode> change) {
        if (pod(name, uid) != null) {
            server.change(SimulatedApiServer.PODS, NAMESPACE, name, change);
        }
    }

    private List<ObjectNode> podsOn(String node) {
        return server.list(SimulatedApiServer.PODS).stream()
                .filter(pod -> node(pod).equals(node))
                .toList();
    }

    private static String node(ObjectNode pod) {
        return pod.path("spec").path("nodeName").asText();
    }

    private void schedule(String name, String uid) {
        if (pod(name, uid) == null) {
            return;
        }
        Optional<String> node = server.list(NODES).stream()
                .map(SimulatedApiServer::name)
                .filter(each -> !lostNodes.contains(each) && podsOn(each).size() < PODS_PER_NODE)
                .min((a, b) -> Integer.compare(podsOn(a).size(), podsOn(b).size()));
        if (isFull || node.isEmpty()) {
            change(name, uid, pod -> condition(pod, "PodScheduled", "False", "Unschedulable"));
            time.after(Duration.ofSeconds(3), () -> schedule(name, uid));
            return;
        }
        change(name, uid, pod -> {
            ((ObjectNode) pod.get("spec")).put("nodeName", node.get());
            condition(pod, "PodScheduled", "True", "");
        });
        time.after(millis(100, 4000), () -> start(name, uid));
    }

    private void start(String name, String uid) {
        ObjectNode pod = pod(name, uid);
        if (pod == null || isDeleting(pod) || lostNodes.contains(node(pod)) || hasEnded(pod)) {
            return;
        }
        if (!workers.canStart(pod)) {
            time.after(Duration.ofSeconds(2), () -> start(name, uid)); // its volumes cannot be mounted
            return;
        }
        String address = hasHostNetwork ? "10.0.1." + node(pod).substring(1) : freeAddress();
        change(name, uid, next -> {
            ObjectNode status = status(next);
            status.put("phase", "Running").put("podIP", address);
            container(next).putObject("state").putObject("running");
            condition(next, "Ready", "False", "");
        });
        workers.started(pod, address);
        time.after(millis(100, 3000), () -> ready(name, uid));
    }

    private void ready(String name, String uid) {
        if (workers.isAlive(uid)) {
            change(name, uid, pod -> condition(pod, "Ready", "True", ""));
        }
    }

    /** Addresses are given again soon after the pod that had them is removed. */
    private String freeAddress() {
        while (true) {
            String address = "10.0.0." + (1 + addresses++ % 30);
            if (server.list(SimulatedApiServer.PODS).stream()
                    .noneMatch(pod -> pod.path("status").path("podIP").asText().equals(address))) {
                return address;
            }
        }
    }

    private void terminate(String name, String uid) {
        ObjectNode pod = pod(name, uid);
        if (pod != null && !lostNodes.contains(node(pod))) {
            server.remove(SimulatedApiServer.PODS, NAMESPACE, name);
        }
    }

    private void stop(String name, String uid) {
        workers.ended(uid, false);
        change(name, uid, pod -> {
            status(pod).put("phase", "Failed").put("reason", "DeadlineExceeded");
            terminated(container(pod).putObject("state"), 143, "Error");
        });
    }

    /** Deletes a pod as a person does. */
    public void delete(ObjectNode pod) {
        var _ = server.execute(
                new ApiRequest("delete", SimulatedApiServer.PODS, NAMESPACE, SimulatedApiServer.name(pod), "", "", ""));
    }

    /** Ends the container of a pod; the kubelet restarts it. */
    public void crash(ObjectNode pod, int code, String reason) {
        String name = SimulatedApiServer.name(pod);
        String uid = SimulatedApiServer.uid(pod);
        if (!workers.isAlive(uid)) {
            return;
        }
        workers.crashed(uid, code, reason);
        change(name, uid, next -> {
            terminated(container(next).putObject("state"), code, reason);
            condition(next, "Ready", "False", "");
        });
        time.after(millis(300, 8000), () -> restart(name, uid));
    }

    private void restart(String name, String uid) {
        ObjectNode pod = pod(name, uid);
        if (pod == null || isDeleting(pod) || hasEnded(pod) || lostNodes.contains(node(pod)) || workers.isAlive(uid)) {
            return;
        }
        change(name, uid, next -> {
            ObjectNode container = container(next);
            JsonNode end = container.path("state").path("terminated");
            if (end.isObject()) {
                container.putObject("lastState").set("terminated", end);
            } else {
                terminated(container.putObject("lastState"), 255, "Unknown");
            }
            container.put("restartCount", container.path("restartCount").asInt() + 1);
            container.putObject("state").putObject("running");
        });
        workers.started(pod, pod.path("status").path("podIP").asText());
        time.after(millis(100, 3000), () -> ready(name, uid));
    }

    /** Evicts a pod: through the API, or by the kubelet, which needs its memory. */
    public void evict(ObjectNode pod, boolean byKubelet) {
        String name = SimulatedApiServer.name(pod);
        String uid = SimulatedApiServer.uid(pod);
        if (!byKubelet) {
            change(name, uid, next -> {
                condition(next, "DisruptionTarget", "True", "EvictionByEvictionAPI");
                markDeleted(next);
            });
        } else if (workers.isAlive(uid)) {
            workers.ended(uid, true);
            change(name, uid, next -> {
                status(next).put("phase", "Failed").put("reason", "Evicted");
                status(next).remove("containerStatuses");
            });
        }
    }

    /**
     * A node stops reporting.
     *
     * @param isDead whether its workers end at once, or are only cut off
     * @param isRemoved whether it is replaced by another node in the end, or comes back
     */
    public void loseNode(String node, boolean isDead, boolean isRemoved, Duration duration) {
        if (!lostNodes.add(node)) {
            return;
        }
        podsOn(node).forEach(pod -> {
            if (isDead) {
                workers.ended(SimulatedApiServer.uid(pod), isRemoved);
            } else {
                workers.cutOff(SimulatedApiServer.uid(pod), true);
            }
        });
        time.after(UNTIL_NOT_READY, () -> showLost(node));
        time.after(duration, () -> {
            if (isRemoved) {
                server.remove(NODES, "", node);
                addNode();
                time.after(
                        POD_COLLECTION,
                        () -> podsOn(node)
                                .forEach(pod -> server.remove(
                                        SimulatedApiServer.PODS, NAMESPACE, SimulatedApiServer.name(pod))));
            } else {
                comeBack(node);
            }
        });
    }

    private void showLost(String node) {
        if (!lostNodes.contains(node)) {
            return;
        }
        server.change(NODES, "", node, each -> {
            condition(each, "Ready", "Unknown", "NodeStatusUnknown");
            ((ObjectNode) each.get("spec"))
                    .putArray("taints")
                    .addObject()
                    .put("key", "node.kubernetes.io/unreachable")
                    .put("effect", "NoExecute");
        });
        podsOn(node)
                .forEach(pod -> change(
                        SimulatedApiServer.name(pod),
                        SimulatedApiServer.uid(pod),
                        each -> condition(each, "Ready", "False", "")));
        time.after(TOLERATED, () -> {
            if (lostNodes.contains(node)) {
                podsOn(node).stream()
                        .filter(pod -> !isDeleting(pod))
                        .forEach(pod -> change(SimulatedApiServer.name(pod), SimulatedApiServer.uid(pod), each -> {
                            condition(each, "DisruptionTarget", "True", "DeletionByTaintManager");
                            markDeleted(each);
                        }));
            }
        });
    }

    private void comeBack(String node) {
        lostNodes.remove(node);
        server.change(NODES, "", node, each -> {
            condition(each, "Ready", "True", "");
            ((ObjectNode) each.get("spec")).remove("taints");
        });
        podsOn(node).forEach(pod -> {
            String name = SimulatedApiServer.name(pod);
            String uid = SimulatedApiServer.uid(pod);
            workers.cutOff(uid, false);
            if (isDeleting(pod)) {
                time.after(millis(500, 4000), () -> terminate(name, uid));
            } else if (pod.path("status").path("podIP").asText().isEmpty()) {
                time.after(millis(500, 4000), () -> start(name, uid));
            } else {
                time.after(millis(500, 4000), () -> {
                    restart(name, uid);
                    ready(name, uid);
                });
            }
        });
    }

    /** The names of the nodes that report. */
    public List<String> healthyNodes() {
        return server.list(NODES).stream()
                .map(SimulatedApiServer::name)
                .filter(node -> !lostNodes.contains(node))
                .toList();
    }

    private void markDeleted(ObjectNode pod) {
        if (!isDeleting(pod)) {
            SimulatedApiServer.meta(pod)
                    .put(
                            "deletionTimestamp",
                            time.now().truncatedTo(ChronoUnit.SECONDS).toString());
        }
    }

    /** Whether a pod is deleted and still there. */
    public static boolean isDeleting(ObjectNode pod) {
        return SimulatedApiServer.meta(pod).has("deletionTimestamp");
    }

    /** Whether the worker in a pod is ready. */
    public static boolean isRunning(ObjectNode pod) {
        boolean isReady = false;
        for (JsonNode condition : pod.path("status").path("conditions")) {
            isReady |= condition.path("type").asText().equals("Ready")
                    && condition.path("status").asText().equals("True");
        }
        return isReady && !isDeleting(pod) && !hasEnded(pod);
    }

    /** Whether all containers of a pod have ended for good. */
    public static boolean hasEnded(ObjectNode pod) {
        String phase = pod.path("status").path("phase").asText();
        return phase.equals("Failed") || phase.equals("Succeeded");
    }

    private static ObjectNode status(ObjectNode object) {
        return object.has("status") ? (ObjectNode) object.get("status") : object.putObject("status");
    }

    private static ObjectNode container(ObjectNode pod) {
        ObjectNode status = status(pod);
        if (!status.has("containerStatuses")) {
            status.putArray("containerStatuses")
                    .addObject()
                    .put("name", "worker")
                    .put("restartCount", 0);
        }
        return (ObjectNode) status.get("containerStatuses").get(0);
    }

    private static void terminated(ObjectNode state, int code, String reason) {
        state.removeAll();
        state.putObject("terminated").put("exitCode", code).put("reason", reason);
    }

    private static void condition(ObjectNode object, String type, String value, String reason) {
        ObjectNode status = status(object);
        ArrayNode conditions =
                status.has("conditions") ? (ArrayNode) status.get("conditions") : status.putArray("conditions");
        for (JsonNode each : conditions) {
            if (each.path("type").asText().equals(type)) {
                ((ObjectNode) each).put("status", value).put("reason", reason);
                return;
            }
        }
        conditions.addObject().put("type", type).put("status", value).put("reason", reason);
    }
}

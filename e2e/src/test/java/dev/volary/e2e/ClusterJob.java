// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.volary.mesh.tls.CertificateAuthority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A job of the cluster, in a namespace of its own that goes with it. */
final class ClusterJob implements AutoCloseable {
    /** Of all waits: two cores may have to start a dozen JVMs, beside other work. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    /** How the name of a job's namespace starts. */
    static final String NAMESPACES = "volary-e2e-";

    /** What a job consists of. */
    private static final String KINDS =
            "pods,services,secrets,configmaps,leases,serviceaccounts,roles,rolebindings,networkpolicies";

    private static final Path LOGS = Path.of("target", "logs");

    private static final Duration LOOK = Duration.ofMillis(500);

    private final String namespace;
    private final String name;
    private @Nullable CertificateAuthority authority;

    /** @param spec of the job, in YAML, its lines not indented */
    ClusterJob(String name, String spec) throws IOException, InterruptedException {
        this(name, spec, "");
    }

    /** @param before other objects, in YAML, that are in the job's namespace before it */
    ClusterJob(String name, String spec, String before) throws IOException, InterruptedException {
        this.name = name;
        this.namespace = NAMESPACES + name;
        Kubectl.given("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: %s, labels: {volary.dev/e2e: "true"}}
                """.formatted(namespace), "create", "-f", "-");
        if (!before.isEmpty()) {
            Kubectl.given(before, "-n", namespace, "apply", "-f", "-");
        }
        if (before.contains("kind: ResourceQuota")) {
            // Until a quota has its status, pods are admitted as if there were none.
            Kubectl.run(
                    "-n",
                    namespace,
                    "wait",
                    "resourcequota",
                    "--all",
                    "--for=jsonpath={.status.hard}",
                    "--timeout=110s");
        }
        apply(spec);
    }

    /** Another job of the same name, in the namespace of the one that was deleted; closing either closes both. */
    private ClusterJob(ClusterJob deleted) {
        this.name = deleted.name;
        this.namespace = deleted.namespace;
    }

    /** Deletes the job, waits until it does not exist any more, and applies another one under its name at once. */
    ClusterJob replace(String spec, String... how) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("-n", namespace, "delete", "ij", name, "--wait=true"));
        command.addAll(List.of(how));
        Kubectl.run(command.toArray(String[]::new));
        ClusterJob next = new ClusterJob(this);
        next.apply(spec);
        return next;
    }

    private void apply(String spec) throws IOException, InterruptedException {
        Kubectl.given("""
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: %s}
                spec:
                """.formatted(name) + spec.indent(2), "-n", namespace, "apply", "-f", "-");
    }

    String namespace() {
        return namespace;
    }

    String name() {
        return name;
    }

    /** The leader's pod; waits for the status to name it, which may be a moment after the job is seen to run. */
    String leader() throws IOException, InterruptedException {
        until("has a leader", () -> !status("leader").isEmpty());
        return status("leader");
    }

    /** A field of the status, as text; empty while it is not there. */
    String status(String... path) throws IOException, InterruptedException {
        JsonElement at = Kubectl.json("-n", namespace, "get", "ij", name).get("status");
        for (String field : path) {
            at = at == null || !at.isJsonObject() ? null : at.getAsJsonObject().get(field);
        }
        return at == null ? "" : at.isJsonPrimitive() ? at.getAsString() : at.toString();
    }

    Losses losses() throws IOException, InterruptedException {
        return Losses.of(Kubectl.json("-n", namespace, "get", "ij", name).getAsJsonObject("status"));
    }

    /** Waits until the status counts these losses, neither fewer nor more. */
    void awaitLosses(Losses expected) throws IOException, InterruptedException {
        until("counts " + expected, () -> {
            boolean isOver = isOver(status("phase")); // nothing is counted after the end
            Losses now = losses();
            if (now.voluntary() > expected.voluntary()
                    || now.disruption() > expected.disruption()
                    || now.failure() > expected.failure()
                    || now.retriesUsed() > expected.retriesUsed()
                    || (isOver && !now.equals(expected))) {
                throw miscount(now, expected + (isOver ? " before its end" : ""));
            }
            return now.equals(expected);
        });
    }

    private static boolean isOver(String phase) {
        return Set.of("Succeeded", "Failed").contains(phase);
    }

    /** A failure: the status does not count the losses that were wanted. It says what the operator has warned of. */
    AssertionError miscount(Losses now, String wanted) throws IOException, InterruptedException {
        String warnings = events(",type=Warning", "{range .items[*]}{.reason}: {.message}; {end}");
        return new AssertionError(name + " counts " + now + ", expected " + wanted + ": " + warnings);
    }

    /** A condition as status and reason, as {@code False Forming}; empty while it is not there. */
    String condition(String type) throws IOException, InterruptedException {
        return condition(type, "{.status} {.reason}");
    }

    /** The message of a condition; empty while it is not there. */
    String message(String type) throws IOException, InterruptedException {
        return condition(type, "{.message}");
    }

    private String condition(String type, String path) throws IOException, InterruptedException {
        return Kubectl.run(
                "-n",
                namespace,
                "get",
                "ij",
                name,
                "-o",
                "jsonpath={range .status.conditions[?(@.type==\"" + type + "\")]}" + path + "{end}");
    }

    /** Reasons of the events of this job. */
    List<String> events() throws IOException, InterruptedException {
        return List.of(events("", "{.items[*].reason}").split(" "));
    }

    /**
     * Events of this job.
     *
     * @param more of the field selector, beginning with a comma
     * @param path what of them, as JSONPath
     */
    private String events(String more, String path) throws IOException, InterruptedException {
        return Kubectl.run(
                "-n",
                namespace,
                "get",
                "events",
                "--field-selector=involvedObject.kind=IterativeJob,involvedObject.name=" + name + more,
                "-o",
                "jsonpath=" + path);
    }

    /** The authority that signs the identities of this job's workers and their clients; read once. */
    CertificateAuthority authority() throws IOException, GeneralSecurityException, InterruptedException {
        CertificateAuthority known = authority;
        if (known == null) {
            JsonObject secret = Kubectl.json("-n", namespace, "get", "secret", "volary-" + name + "-ca")
                    .getAsJsonObject("data");
            known = CertificateAuthority.of(namespace, name, decoded(secret, "ca.crt"), decoded(secret, "ca.key"));
            authority = known;
        }
        return known;
    }

    private static String decoded(JsonObject data, String key) {
        return new String(Base64.getDecoder().decode(data.get(key).getAsString()), StandardCharsets.US_ASCII);
    }

    int count(String... path) throws IOException, InterruptedException {
        String text = status(path);
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    /** Its live pods' UIDs, by name. */
    Map<String, String> pods() throws IOException, InterruptedException {
        Map<String, String> pods = new TreeMap<>();
        for (JsonElement item : items("--field-selector=status.phase!=Failed")) {
            JsonObject meta = item.getAsJsonObject().getAsJsonObject("metadata");
            pods.put(meta.get("name").getAsString(), meta.get("uid").getAsString());
        }
        return pods;
    }

    /** How many of its live pods are ready. */
    int readyPods() throws IOException, InterruptedException {
        int ready = 0;
        for (JsonElement item : runningPods()) {
            for (JsonElement condition :
                    item.getAsJsonObject().getAsJsonObject("status").getAsJsonArray("conditions")) {
                JsonObject there = condition.getAsJsonObject();
                if (there.get("type").getAsString().equals("Ready")
                        && there.get("status").getAsString().equals("True")) {
                    ready++;
                }
            }
        }
        return ready;
    }

    /** Its pods that are not being deleted. */
    private List<JsonElement> items(String selector) throws IOException, InterruptedException {
        return Kubectl.json("-n", namespace, "get", "pods", "-l", "volary.dev/job=" + name, selector)
                .getAsJsonArray("items")
                .asList()
                .stream()
                .filter(item ->
                        !item.getAsJsonObject().getAsJsonObject("metadata").has("deletionTimestamp"))
                .toList();
    }

    private static String name(JsonElement item) {
        return item.getAsJsonObject().getAsJsonObject("metadata").get("name").getAsString();
    }

    JsonObject pod(String pod) throws IOException, InterruptedException {
        return Kubectl.json("-n", namespace, "get", "pod", pod);
    }

    String node(String pod) throws IOException, InterruptedException {
        return pod(pod).getAsJsonObject("spec").get("nodeName").getAsString();
    }

    /** Its live pods on a node. */
    Set<String> podsOn(String node) throws IOException, InterruptedException {
        Set<String> there = new TreeSet<>();
        for (JsonElement item : items("--field-selector=spec.nodeName=" + node)) {
            there.add(name(item));
        }
        return there;
    }

    /** Its live pods whose processes run. */
    List<JsonElement> runningPods() throws IOException, InterruptedException {
        return items("--field-selector=status.phase=Running");
    }

    /** Its spawners whose processes run. */
    List<String> runningSpawners() throws IOException, InterruptedException {
        List<String> spawners = new ArrayList<>();
        for (JsonElement item : runningPods()) {
            if (name(item).startsWith(name + "-s-")) {
                spawners.add(name(item));
            }
        }
        return spawners;
    }

    /** One of its spawners whose processes run, but not this one. */
    String spawnerBeside(String leader) throws IOException, InterruptedException {
        return runningSpawners().stream()
                .filter(pod -> !pod.equals(leader))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until it computes and both of its spawners run. */
    void awaitIteratingWithTwoSpawners() {
        until(
                "iterates",
                () -> status("phase").equals("Running") && runningSpawners().size() == 2);
    }

    /** Deletes pods without grace, as if their machines had failed: no worker is asked to leave. */
    void deleteAtOnce(Collection<String> pods) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("-n", namespace, "delete", "pod"));
        command.addAll(pods);
        command.addAll(List.of("--grace-period=0", "--force"));
        Kubectl.run(command.toArray(String[]::new));
    }

    /** Evicts a pod as `kubectl drain` does. */
    void evict(String pod) throws IOException, InterruptedException {
        Kubectl.given(
                """
                {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "%s", "namespace": "%s"}}
                """.formatted(pod, namespace),
                "create",
                "--raw",
                "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/eviction",
                "-f",
                "-");
    }

    /** Waits until it computes and has this number of workers that are ready; they must be there before it ends. */
    void awaitWorkers(int workers) {
        until("has all its workers", () -> {
            String phase = status("phase");
            if (isOver(phase)) {
                throw new AssertionError(name + " is over too soon: " + status());
            }
            return phase.equals("Running") && readyPods() == workers;
        });
    }

    /** Waits until there are as many pods as before, all of them running, without those that were lost. */
    void awaitAllRunning(Map<String, String> before, Collection<String> lost) {
        Set<String> deleted = lost.stream().map(before::get).collect(Collectors.toSet());
        until("has new pods for " + lost, () -> {
            Map<String, String> now = pods();
            return now.size() == before.size() && now.values().stream().noneMatch(deleted::contains);
        });
    }

    /** Waits for the certified end. */
    void awaitSuccess() {
        until("succeeds", () -> {
            String phase = status("phase");
            if (phase.equals("Failed")) {
                throw new AssertionError(name + " failed: " + status());
            }
            return phase.equals("Succeeded");
        });
    }

    /** Waits for anything of the job. */
    void until(String what, Callable<Boolean> condition) {
        await(name + " " + what).atMost(PATIENCE).pollInterval(LOOK).until(() -> {
            try {
                return condition.call();
            } catch (IOException notNow) {
                return false;
            }
        });
    }

    /** How often the kubelet has started a pod's container again; 0 for a pod that no kubelet has taken yet. */
    int restarts(String pod) throws IOException, InterruptedException {
        JsonElement containers = pod(pod).getAsJsonObject("status").get("containerStatuses");
        return containers == null
                ? 0
                : containers
                        .getAsJsonArray()
                        .get(0)
                        .getAsJsonObject()
                        .get("restartCount")
                        .getAsInt();
    }

    /** The newest lines of a pod. */
    String said(String pod) throws IOException, InterruptedException {
        return Kubectl.run("-n", namespace, "logs", pod, "--tail=200");
    }

    void delete() throws IOException, InterruptedException {
        Kubectl.run("-n", namespace, "delete", "ij", name, "--wait=false");
    }

    /** All that is in the namespace for this job, one object a line. */
    String objects() throws IOException, InterruptedException {
        return Kubectl.run("-n", namespace, "get", KINDS, "-l", "volary.dev/job=" + name, "-o", "name")
                .strip();
    }

    /** The UID of the job itself. */
    String uid() throws IOException, InterruptedException {
        return Kubectl.run("-n", namespace, "get", "ij", name, "-o", "jsonpath={.metadata.uid}");
    }

    /** UID and version of each object that bears the label of this job's name, whichever job it belongs to. */
    Map<String, String> objectVersions() throws IOException, InterruptedException {
        return ofObjects("{.metadata.uid} {.metadata.resourceVersion}");
    }

    /** UID of the controller owner of each of these objects; empty for those without one. */
    Map<String, String> owners() throws IOException, InterruptedException {
        return ofObjects("{.metadata.ownerReferences[?(@.controller==true)].uid}");
    }

    /** Deletes what bears the label of this job's name now; not what is created under these names then. */
    void deleteObjects() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("-n", namespace, "delete", "--wait=false"));
        objects().lines().forEach(command::add);
        Kubectl.run(command.toArray(String[]::new));
    }

    private Map<String, String> ofObjects(String path) throws IOException, InterruptedException {
        String said = Kubectl.run(
                "-n",
                namespace,
                "get",
                KINDS,
                "-l",
                "volary.dev/job=" + name,
                "-o",
                "jsonpath={range .items[*]}{.kind} {.metadata.name}={" + path.substring(1) + "{\"\\n\"}{end}");
        Map<String, String> objects = new TreeMap<>();
        said.lines().forEach(line -> {
            int equals = line.indexOf('=');
            objects.put(line.substring(0, equals), line.substring(equals + 1));
        });
        return objects;
    }

    @Override
    public void close() throws IOException {
        try {
            try {
                keepLogs();
            } finally {
                Kubectl.run("delete", "namespace", namespace, "--wait=false");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Saves the logs of its workers, which are deleted with the namespace, for the analysis of a failure. */
    void keepLogs() throws InterruptedException {
        try {
            Path folder = Files.createDirectories(LOGS.resolve(name));
            for (String pod : pods().keySet()) {
                Files.writeString(folder.resolve(pod + ".log"), Kubectl.run("-n", namespace, "logs", pod, "--tail=-1"));
                if (restarts(pod) > 0) {
                    Files.writeString(
                            folder.resolve(pod + ".before.log"),
                            Kubectl.run("-n", namespace, "logs", pod, "--previous", "--tail=-1"));
                }
            }
        } catch (IOException away) {
            System.err.println("logs of " + name + " are lost: " + away.getMessage());
        }
    }
}

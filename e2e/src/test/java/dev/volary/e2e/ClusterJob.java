package dev.volary.e2e;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** A job of the cluster, in a namespace of its own that goes with it. */
final class ClusterJob implements AutoCloseable {
    /** Of all waits: two cores may have to start a dozen JVMs. */
    static final Duration PATIENCE = Duration.ofMinutes(6);

    private static final Duration LOOK = Duration.ofMillis(500);

    private final String namespace;
    private final String name;

    /** @param spec of the job, in YAML, its lines not indented */
    ClusterJob(String name, String spec) throws IOException, InterruptedException {
        this.name = name;
        this.namespace = "volary-e2e-" + name;
        Kubectl.run("create", "namespace", namespace);
        Path file = Files.createTempFile(name, ".yaml");
        try {
            Files.writeString(file, """
                apiVersion: volary.dev/v1alpha1
                kind: IterativeJob
                metadata: {name: %s}
                spec:
                """.formatted(name) + spec.indent(2));
            Kubectl.run("-n", namespace, "apply", "-f", file.toString());
        } finally {
            Files.delete(file);
        }
    }

    String namespace() {
        return namespace;
    }

    String name() {
        return name;
    }

    /** A field of the status, as text; empty while it is not there. */
    String status(String... path) throws IOException, InterruptedException {
        JsonElement at = Kubectl.json("-n", namespace, "get", "ij", name).get("status");
        for (String field : path) {
            at = at == null || !at.isJsonObject() ? null : at.getAsJsonObject().get(field);
        }
        return at == null ? "" : at.isJsonPrimitive() ? at.getAsString() : at.toString();
    }

    int count(String... path) throws IOException, InterruptedException {
        String text = status(path);
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    /** Its live pods' UIDs, by name. */
    Map<String, String> pods() throws IOException, InterruptedException {
        Map<String, String> pods = new TreeMap<>();
        for (JsonElement item : Kubectl.json("-n", namespace, "get", "pods", "-l", "volary.dev/job=" + name)
                .getAsJsonArray("items")) {
            JsonObject meta = item.getAsJsonObject().getAsJsonObject("metadata");
            if (!meta.has("deletionTimestamp")) {
                pods.put(meta.get("name").getAsString(), meta.get("uid").getAsString());
            }
        }
        return pods;
    }

    /** Waits until all its daemons compute. */
    void awaitRunning() {
        until(
                "runs",
                () -> status("phase").equals("Running")
                        && !status("daemons", "ready").isEmpty()
                        && count("daemons", "ready") >= count("daemons", "desired"));
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

    /** How often the kubelet has started a pod's container again. */
    int restarts(String pod) throws IOException, InterruptedException {
        return Kubectl.json("-n", namespace, "get", "pod", pod)
                .getAsJsonObject("status")
                .getAsJsonArray("containerStatuses")
                .get(0)
                .getAsJsonObject()
                .get("restartCount")
                .getAsInt();
    }

    /** The newest lines of all its spawners. */
    String spawnersSaid() throws IOException, InterruptedException {
        return Kubectl.run(
                "-n",
                namespace,
                "logs",
                "-l",
                "volary.dev/job=" + name + ",app.kubernetes.io/component=spawner",
                "--tail=200");
    }

    void delete() throws IOException, InterruptedException {
        Kubectl.run("-n", namespace, "delete", "ij", name, "--wait=false");
    }

    /** All that is in the namespace for this job, one object a line. */
    String objects() throws IOException, InterruptedException {
        return Kubectl.run(
                        "-n",
                        namespace,
                        "get",
                        "pods,services,secrets,configmaps,leases,serviceaccounts,roles,rolebindings,networkpolicies",
                        "-l",
                        "volary.dev/job=" + name,
                        "-o",
                        "name")
                .strip();
    }

    @Override
    public void close() throws IOException {
        try {
            Kubectl.run("delete", "namespace", namespace, "--wait=false");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

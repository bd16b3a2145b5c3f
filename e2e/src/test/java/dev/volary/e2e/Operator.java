// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The installed operator; there is one release in the cluster. */
final class Operator {
    static final String LABEL = "app.kubernetes.io/name=volary-operator";
    private static final String LEASE = "volary-operator";

    private Operator() {}

    static String replicas() throws IOException, InterruptedException {
        return deployment().getAsJsonObject("spec").get("replicas").getAsString();
    }

    /** Scales, and waits until it is so. */
    static void scale(String replicas) throws IOException, InterruptedException {
        Kubectl.run("-n", namespace(), "scale", "deployment", name(deployment()), "--replicas=" + replicas);
        await("operators: " + replicas)
                .atMost(ClusterJob.PATIENCE)
                .until(() -> String.valueOf(pods().size()).equals(replicas)
                        && readyReplicas().equals(replicas));
    }

    /** The pod that holds the lease of the leader election; empty if no pod holds it. */
    static String leader() throws IOException, InterruptedException {
        JsonElement holder = Kubectl.json("-n", namespace(), "get", "lease", LEASE)
                .getAsJsonObject("spec")
                .get("holderIdentity");
        return holder == null ? "" : holder.getAsString();
    }

    /** Names of its pods. */
    static List<String> pods() throws IOException, InterruptedException {
        return ofPods("metadata", "name");
    }

    /** Nodes that it runs on. */
    static List<String> nodes() throws IOException, InterruptedException {
        return ofPods("spec", "nodeName");
    }

    /** Addresses of its pods. */
    static List<String> addresses() throws IOException, InterruptedException {
        return ofPods("status", "podIP");
    }

    private static List<String> ofPods(String part, String field) throws IOException, InterruptedException {
        List<String> values = new ArrayList<>();
        for (JsonElement pod :
                Kubectl.json("-n", namespace(), "get", "pods", "-l", LABEL).getAsJsonArray("items")) {
            JsonElement value = pod.getAsJsonObject().getAsJsonObject(part).get(field);
            if (value != null) {
                values.add(value.getAsString());
            }
        }
        return values;
    }

    static String namespace() throws IOException, InterruptedException {
        return deployment().getAsJsonObject("metadata").get("namespace").getAsString();
    }

    private static String readyReplicas() throws IOException, InterruptedException {
        JsonElement ready = deployment().getAsJsonObject("status").get("readyReplicas");
        return ready == null ? "0" : ready.getAsString();
    }

    private static String name(JsonObject object) {
        return object.getAsJsonObject("metadata").get("name").getAsString();
    }

    private static JsonObject deployment() throws IOException, InterruptedException {
        return Kubectl.json("get", "deployment", "--all-namespaces", "-l", LABEL)
                .getAsJsonArray("items")
                .get(0)
                .getAsJsonObject();
    }
}

package dev.volary.e2e;

import com.google.gson.JsonObject;
import java.io.IOException;

/** The installed operator; there is one release in the cluster. */
final class Operator {
    private static final String LABEL = "app.kubernetes.io/name=volary-operator";

    private Operator() {}

    static String replicas() throws IOException, InterruptedException {
        return deployment().getAsJsonObject("spec").get("replicas").getAsString();
    }

    static void scale(String replicas) throws IOException, InterruptedException {
        JsonObject meta = deployment().getAsJsonObject("metadata");
        Kubectl.run(
                "-n",
                meta.get("namespace").getAsString(),
                "scale",
                "deployment",
                meta.get("name").getAsString(),
                "--replicas=" + replicas);
    }

    private static JsonObject deployment() throws IOException, InterruptedException {
        return Kubectl.json("get", "deployment", "--all-namespaces", "-l", LABEL)
                .getAsJsonArray("items")
                .get(0)
                .getAsJsonObject();
    }
}

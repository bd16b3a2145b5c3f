// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Failures that Kubernetes has no command for, injected by the test bed's own program. */
final class Testbed {
    /** Environment variable that names the program {@code testbed}; TESTBED_INSTANCE says which one is meant. */
    static final String PROGRAM = "VOLARY_E2E_TESTBED";

    private static final String NODE = "tb-n";

    private Testbed() {}

    /** Whether the cluster is a test bed; then pods are reached by their own addresses, too. */
    static boolean isThere() {
        return System.getenv(PROGRAM) != null;
    }

    /** The address at which pods reach processes of this machine. */
    static String gateway() {
        return "10.88." + System.getenv().getOrDefault("TESTBED_INSTANCE", "0") + ".1";
    }

    static void powerOff(String node) throws IOException, InterruptedException {
        run("node-kill", number(node));
    }

    static void powerOn(String node) throws IOException, InterruptedException {
        run("node-start", number(node));
    }

    static void cutOff(String node) throws IOException, InterruptedException {
        run("pause-link", number(node));
    }

    static void connect(String node) throws IOException, InterruptedException {
        run("resume-link", number(node));
    }

    static void stopApi() throws IOException, InterruptedException {
        run("api-stop");
    }

    static void startApi() throws IOException, InterruptedException {
        run("api-start");
    }

    /** The garbage collector and all other controllers lag behind until {@link #resumeControllers}. */
    static void pauseControllers() throws IOException, InterruptedException {
        run("controllers-pause");
    }

    static void resumeControllers() throws IOException, InterruptedException {
        run("controllers-resume");
    }

    /** Ends the process of a pod's worker by SIGKILL. */
    static void killProcess(JsonObject pod) throws IOException, InterruptedException {
        String container = pod.getAsJsonObject("status")
                .getAsJsonArray("containerStatuses")
                .get(0)
                .getAsJsonObject()
                .get("containerID")
                .getAsString();
        String node = pod.getAsJsonObject("spec").get("nodeName").getAsString();
        String id = container.substring(container.lastIndexOf('/') + 1);
        run("node-exec", number(node), "ctr", "-n", "k8s.io", "tasks", "kill", "-s", "SIGKILL", id);
    }

    private static String number(String node) {
        if (!node.startsWith(NODE)) {
            throw new IllegalArgumentException("node " + node + " is none of the test bed's");
        }
        return node.substring(NODE.length());
    }

    private static void run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Objects.requireNonNull(System.getenv(PROGRAM), PROGRAM)));
        command.addAll(List.of(arguments));
        // What it starts goes on, so its output must not be waited for.
        Path said = Files.createTempFile("testbed", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        process.getOutputStream().close();
        int status = process.waitFor();
        String text = Files.readString(said, StandardCharsets.UTF_8);
        Files.delete(said);
        if (status != 0) {
            throw new IOException("testbed " + String.join(" ", arguments) + ": " + text);
        }
    }
}

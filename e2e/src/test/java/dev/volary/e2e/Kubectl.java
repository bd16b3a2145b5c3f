// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** kubectl on the cluster under test. */
final class Kubectl {
    /** Environment variable that names the kubeconfig. */
    static final String KUBECONFIG = "VOLARY_E2E_KUBECONFIG";

    private static final long PATIENCE_SECONDS = 120;

    private Kubectl() {}

    /**
     * What a command prints.
     *
     * @throws IOException with what it said, if it failed
     */
    static String run(String... arguments) throws IOException, InterruptedException {
        return given("", arguments);
    }

    /** As {@link #run}, with something on standard input. */
    static String given(String input, String... arguments) throws IOException, InterruptedException {
        Process process = builder(arguments).redirectErrorStream(true).start();
        try (OutputStream to = process.getOutputStream()) {
            to.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("kubectl " + String.join(" ", arguments) + ": " + said);
        }
        return said;
    }

    /** What `kubectl ARGUMENTS -o json` prints. */
    static JsonObject json(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-o", "json"));
        return JsonParser.parseString(run(all.toArray(String[]::new))).getAsJsonObject();
    }

    /** Starts a command that goes on until it is ended. */
    static Process start(String... arguments) throws IOException {
        return builder(arguments).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    private static ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        String config = Objects.requireNonNull(System.getenv(KUBECONFIG), KUBECONFIG);
        builder.environment().put("KUBECONFIG", new File(config).getAbsolutePath());
        return builder;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A real Prometheus that scrapes the operator and all workers, as the chart's PodMonitors have it done. */
final class Prometheus implements AutoCloseable {
    /** Environment variable that names the program, if it is not on PATH. */
    static final String PROGRAM = "VOLARY_E2E_PROMETHEUS";

    private static final int OPERATOR = 8080;
    private static final int WORKER = 7403;

    /** How Prometheus writes the values that a panel cannot draw. */
    private static final Set<String> NOT_FINITE = Set.of("NaN", "+Inf", "-Inf");

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String server;
    private final Path targets;

    private Prometheus(Process process, String server, Path targets) {
        this.process = process;
        this.server = server;
        this.targets = targets;
    }

    /** The program, if this machine has it. */
    static Optional<File> program() {
        String named = System.getenv(PROGRAM);
        List<String> places = new ArrayList<>(
                List.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator)));
        List<File> files = new ArrayList<>();
        if (named != null && !named.isEmpty()) {
            files.add(new File(named));
        }
        places.forEach(place -> files.add(new File(place, "prometheus")));
        return files.stream().filter(File::canExecute).findFirst();
    }

    /** @param folder that it keeps its settings and data in */
    static Prometheus start(File program, Path folder) throws IOException {
        Path targets = Files.writeString(folder.resolve("targets.json"), "[]");
        Path config = Files.writeString(folder.resolve("prometheus.yml"), """
                global: {scrape_interval: 2s, scrape_timeout: 2s}
                scrape_configs:
                  - job_name: volary
                    file_sd_configs: [{files: [%s], refresh_interval: 1s}]
                """.formatted(targets));
        String address;
        try (ServerSocket free = new ServerSocket(0)) {
            address = "127.0.0.1:" + free.getLocalPort();
        }
        Process process = new ProcessBuilder(
                        program.getPath(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=" + address)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
        Prometheus prometheus = new Prometheus(process, "http://" + address, targets);
        await("prometheus answers").atMost(ClusterJob.PATIENCE).until(prometheus::isReady);
        return prometheus;
    }

    /** Finds the pods to scrape again, because Debian's Prometheus cannot ask Kubernetes itself. */
    void scrape(ClusterJob job) throws IOException, InterruptedException {
        JsonArray groups = new JsonArray();
        for (String address : Operator.addresses()) {
            groups.add(group(address + ":" + OPERATOR, Map.of()));
        }
        for (JsonElement pod : job.runningPods()) {
            JsonObject there = pod.getAsJsonObject();
            JsonObject meta = there.getAsJsonObject("metadata");
            String address = there.getAsJsonObject("status").get("podIP").getAsString();
            groups.add(group(
                    address + ":" + WORKER,
                    Map.of(
                            "job_name",
                            meta.getAsJsonObject("labels").get("volary.dev/job").getAsString(),
                            "job_namespace",
                            meta.get("namespace").getAsString(),
                            "role",
                            meta.getAsJsonObject("labels")
                                    .get("app.kubernetes.io/component")
                                    .getAsString())));
        }
        Path next = Files.writeString(targets.resolveSibling("targets.next"), groups.toString());
        Files.move(next, targets, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Labels as the chart's PodMonitors set them. */
    private static JsonObject group(String target, Map<String, String> labels) {
        JsonArray targets = new JsonArray();
        targets.add(target);
        JsonObject group = new JsonObject();
        group.add("targets", targets);
        JsonObject set = new JsonObject();
        labels.forEach(set::addProperty);
        group.add("labels", set);
        return group;
    }

    private boolean isReady() throws InterruptedException {
        if (!process.isAlive()) {
            throw new IllegalStateException("prometheus has ended with " + process.exitValue());
        }
        try {
            return get("/-/ready").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Whether an expression has values now and all of them are finite. */
    boolean hasData(String expression) throws IOException, InterruptedException {
        List<String> values = new ArrayList<>();
        for (JsonElement series : data("/api/v1/query?query=" + encoded(expression))
                .getAsJsonObject()
                .getAsJsonArray("result")) {
            values.add(series.getAsJsonObject().getAsJsonArray("value").get(1).getAsString());
        }
        return !values.isEmpty() && values.stream().noneMatch(NOT_FINITE::contains);
    }

    /** The values of a label among the series that a selector picks. */
    List<String> labelValues(String selector, String label) throws IOException, InterruptedException {
        return data("/api/v1/label/" + label + "/values?match[]=" + encoded(selector))
                .getAsJsonArray()
                .asList()
                .stream()
                .map(JsonElement::getAsString)
                .toList();
    }

    private JsonElement data(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = get(path.replace("[]", "%5B%5D"));
        JsonObject answer = JsonParser.parseString(response.body()).getAsJsonObject();
        if (response.statusCode() != 200) {
            throw new IllegalArgumentException(path + ": " + answer);
        }
        return answer.get("data");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(server + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroy();
        http.close();
    }
}

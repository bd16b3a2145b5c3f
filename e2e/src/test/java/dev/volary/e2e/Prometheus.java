package dev.volary.e2e;

import static org.awaitility.Awaitility.await;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A real Prometheus that scrapes the operator and all workers, as the chart's PodMonitors have it done. */
final class Prometheus implements AutoCloseable {
    /** Environment variable that names the program, if it is not on PATH. */
    static final String PROGRAM = "VOLARY_E2E_PROMETHEUS";

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String server;

    private Prometheus(Process process, String server) {
        this.process = process;
        this.server = server;
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
        String kubeconfig = new File(Objects.requireNonNull(System.getenv(Kubectl.KUBECONFIG))).getAbsolutePath();
        Path config = Files.writeString(folder.resolve("prometheus.yml"), """
                global: {scrape_interval: 2s, scrape_timeout: 2s}
                scrape_configs:
                  - job_name: operator
                    kubernetes_sd_configs:
                      - role: pod
                        kubeconfig_file: %1$s
                        selectors: [{role: pod, label: app.kubernetes.io/name=volary-operator}]
                    relabel_configs:
                      - {source_labels: [__meta_kubernetes_pod_container_port_name], regex: http, action: keep}
                  - job_name: workers
                    kubernetes_sd_configs:
                      - role: pod
                        kubeconfig_file: %1$s
                        selectors: [{role: pod, label: "app.kubernetes.io/name=volary,app.kubernetes.io/managed-by=volary"}]
                    relabel_configs:
                      - {source_labels: [__meta_kubernetes_pod_container_port_name], regex: http, action: keep}
                      - {source_labels: [__meta_kubernetes_pod_label_volary_dev_job], target_label: job_name}
                      - {source_labels: [__meta_kubernetes_namespace], target_label: job_namespace}
                      - {source_labels: [__meta_kubernetes_pod_label_app_kubernetes_io_component], target_label: role}
                """.formatted(kubeconfig));
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
        Prometheus prometheus = new Prometheus(process, "http://" + address);
        await("prometheus answers").atMost(ClusterJob.PATIENCE).until(prometheus::isReady);
        return prometheus;
    }

    private boolean isReady() throws InterruptedException {
        try {
            return get("/-/ready").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Whether an expression has a value now, and none of its values is not a number. */
    boolean hasData(String expression) throws IOException, InterruptedException {
        List<Double> values = new ArrayList<>();
        for (JsonElement series : data("/api/v1/query?query=" + encoded(expression))
                .getAsJsonObject()
                .getAsJsonArray("result")) {
            values.add(series.getAsJsonObject().getAsJsonArray("value").get(1).getAsDouble());
        }
        return !values.isEmpty() && values.stream().noneMatch(value -> value.isNaN());
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

package dev.volary.crd.api;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A real API server that knows the definition, for one test class. */
final class ApiServer implements AutoCloseable {
    private static final String VERSION = "1.35.4";

    private final KubeAPIServer server;
    private final KubernetesClient client;
    private final Path programs;
    private final Path kubeconfig;

    private ApiServer(KubeAPIServer server, KubernetesClient client, Path programs, Path kubeconfig) {
        this.server = server;
        this.client = client;
        this.programs = programs;
        this.kubeconfig = kubeconfig;
    }

    /** Starts etcd and the API server, or skips the test class where their programs are not. */
    static ApiServer start() throws IOException, InterruptedException {
        Optional<Path> found = KubernetesPrograms.find();
        assumeTrue(found.isPresent(), "no API server here: run e2e/testbed/testbed build, or set KUBEBUILDER_ASSETS");
        Path programs = found.orElseThrow();
        Path folder = Files.createDirectories(Path.of("target/kube-api-test").toAbsolutePath());
        Path versions = Files.createDirectories(folder.resolve("k8s"));
        Path link = versions.resolve(VERSION + "-linux-" + architecture());
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, programs);
        KubeAPIServer server = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
                .withTestDir(folder.toString())
                .withApiServerVersion(VERSION)
                .withOfflineMode(true)
                .withUpdateKubeConfig(false)
                .withStartupTimeout(120_000)
                .build());
        server.start();
        String access = server.getKubeConfigYaml();
        Path kubeconfig = Files.writeString(Files.createTempFile(folder, "kubeconfig", ".yaml"), access);
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(access))
                .build();
        ApiServer started = new ApiServer(server, client, programs, kubeconfig);
        try {
            started.kubectl("apply", "-f", "../../crds/iterativejobs.volary.dev-v1.yaml");
            started.kubectl("wait", "--for=condition=Established", "crd/iterativejobs.volary.dev", "--timeout=30s");
        } catch (IOException | InterruptedException | AssertionError unusable) {
            started.close();
            throw unusable;
        }
        return started;
    }

    KubernetesClient client() {
        return client;
    }

    /** What kubectl prints; the test fails if kubectl does. */
    String kubectl(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(programs.resolve("kubectl").toString(), "--kubeconfig", kubeconfig.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "kubectl did not end");
        assertTrue(process.exitValue() == 0, () -> String.join(" ", arguments) + ": " + output);
        return output;
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.stop();
        Files.deleteIfExists(kubeconfig);
    }

    private static String architecture() {
        String name = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return name.equals("aarch64") ? "arm64" : "amd64";
    }
}

package dev.volary.cli.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A real API server that knows the definition; no controller, scheduler or kubelet runs beside it. */
final class ApiServer implements AutoCloseable {
    private static final String VERSION = "1.35.4";

    private final AtomicInteger namespaces = new AtomicInteger();
    private final KubeAPIServer server;
    private final KubernetesClient client;
    private final Path kubeconfig;

    private ApiServer(KubeAPIServer server, KubernetesClient client, Path kubeconfig) {
        this.server = server;
        this.client = client;
        this.kubeconfig = kubeconfig;
    }

    /** Starts etcd and the API server, or skips the test class where their programs are not. */
    static ApiServer start() throws IOException, InterruptedException {
        Optional<Path> programs = programs();
        assumeTrue(
                programs.isPresent(), "no API server here: run e2e/testbed/testbed build, or set KUBEBUILDER_ASSETS");
        Path folder = Files.createDirectories(Path.of("target/kube-api-test").toAbsolutePath());
        Path link = Files.createDirectories(folder.resolve("k8s")).resolve(VERSION + "-linux-" + architecture());
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, programs.orElseThrow());
        KubeAPIServer server = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
                .withTestDir(folder.toString())
                .withApiServerVersion(VERSION)
                .withOfflineMode(true)
                .withUpdateKubeConfig(false)
                .withStartupTimeout(120_000)
                .build());
        server.start();
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(server.getKubeConfigYaml()))
                .build();
        try (InputStream definition = Files.newInputStream(Path.of("../crds/iterativejobs.volary.dev-v1.yaml"))) {
            client.load(definition).create();
        }
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("iterativejobs.volary.dev")
                .waitUntilCondition(
                        d -> d != null
                                && d.getStatus() != null
                                && d.getStatus().getConditions() != null
                                && d.getStatus().getConditions().stream()
                                        .anyMatch(c -> c.getType().equals("Established")
                                                && c.getStatus().equals("True")),
                        30,
                        TimeUnit.SECONDS);
        Path kubeconfig = Files.createTempFile(folder, "kubeconfig", ".yaml");
        Files.writeString(kubeconfig, server.getKubeConfigYaml());
        return new ApiServer(server, client, kubeconfig);
    }

    KubernetesClient client() {
        return client;
    }

    Config config() {
        return Config.fromKubeconfig(server.getKubeConfigYaml());
    }

    /** How the command reaches it. */
    Path kubeconfig() {
        return kubeconfig;
    }

    /** A namespace of one's own. */
    String namespace() {
        String name = "test-" + namespaces.incrementAndGet();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        return name;
    }

    @Override
    public void close() {
        client.close();
        server.stop();
    }

    private static Optional<Path> programs() throws IOException, InterruptedException {
        Optional<Path> named = Optional.ofNullable(System.getenv("KUBEBUILDER_ASSETS"))
                .filter(folder -> !folder.isBlank())
                .map(Path::of);
        return (named.isPresent() ? named : built())
                .filter(folder -> Files.isExecutable(folder.resolve("kube-apiserver")));
    }

    private static Optional<Path> built() throws IOException, InterruptedException {
        Process where = new ProcessBuilder("../e2e/testbed/testbed", "where")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String folder = new String(where.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return where.waitFor(10, TimeUnit.SECONDS) && where.exitValue() == 0 && !folder.isEmpty()
                ? Optional.of(Path.of(folder))
                : Optional.empty();
    }

    private static String architecture() {
        return System.getProperty("os.arch").toLowerCase(Locale.ROOT).equals("aarch64") ? "arm64" : "amd64";
    }
}

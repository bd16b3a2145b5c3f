// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A real API server that knows the definition, with RBAC in force, for one test class; no controller, scheduler or kubelet runs
 * beside it. It belongs to the folder of the module whose tests start it.
 */
public final class LocalApiServer implements AutoCloseable {
    private static final String VERSION = "1.35.4";
    private static final int STARTUP_MILLIS = 120_000;
    private static final int ATTEMPTS = 3;

    private final AtomicInteger namespaces = new AtomicInteger();
    private final KubeAPIServer server;
    private final KubernetesClient client;
    private final Path programs;
    private final Path kubeconfig;

    private LocalApiServer(KubeAPIServer server, KubernetesClient client, Path programs, Path kubeconfig) {
        this.server = server;
        this.client = client;
        this.programs = programs;
        this.kubeconfig = kubeconfig;
    }

    /**
     * Starts etcd and the API server.
     *
     * @throws IllegalStateException if their programs are not here: {@link NeedsApiServer} skips the test class then
     */
    public static LocalApiServer start() throws IOException, InterruptedException {
        Path programs = KubernetesPrograms.find()
                .orElseThrow(
                        () -> new IllegalStateException("no API server here; the test class needs @NeedsApiServer"));
        Path folder = Files.createDirectories(Path.of("target/kube-api-test").toAbsolutePath());
        Path link = Files.createDirectories(folder.resolve("k8s")).resolve(VERSION + "-linux-" + architecture());
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, programs);
        KubeAPIServer server = listening(folder);
        String access = server.getKubeConfigYaml();
        Path kubeconfig = Files.writeString(Files.createTempFile(folder, "kubeconfig", ".yaml"), access);
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(access))
                .build();
        LocalApiServer started = new LocalApiServer(server, client, programs, kubeconfig);
        try {
            started.define();
        } catch (IOException | RuntimeException unusable) {
            started.close();
            throw unusable;
        }
        return started;
    }

    /**
     * The library chooses free ports, but among those that the system gives to outgoing connections as well. If such a connection
     * takes one before etcd or the API server listens, that process ends. The library stops the other one and waits until its
     * timeout. Then both start again on other ports. A server that runs and does not become ready is a failure.
     */
    private static KubeAPIServer listening(Path folder) {
        for (int attempt = 1; ; attempt++) {
            KubeAPIServer server = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
                    .withTestDir(folder.toString())
                    .withApiServerVersion(VERSION)
                    .withOfflineMode(true)
                    .withUpdateKubeConfig(false)
                    .withStartupTimeout(STARTUP_MILLIS)
                    .build());
            try {
                server.start();
                return server;
            } catch (KubeAPITestException unready) {
                boolean isSlow = isRunning("etcd") || isRunning("kube-apiserver");
                if (isSlow) {
                    server.stop();
                }
                if (isSlow || attempt == ATTEMPTS) {
                    throw unready;
                }
            }
        }
    }

    private static boolean isRunning(String program) {
        return ProcessHandle.current()
                .children()
                .flatMap(child -> child.info().command().stream())
                .anyMatch(command -> command.endsWith("/" + program));
    }

    private void define() throws IOException {
        try (InputStream definition = Files.newInputStream(Checkout.file("crds/iterativejobs.volary.dev-v1.yaml"))) {
            client.load(definition).create();
        }
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("iterativejobs.volary.dev")
                .waitUntilCondition(LocalApiServer::isServed, 30, TimeUnit.SECONDS);
    }

    /** With all rights. */
    public KubernetesClient client() {
        return client;
    }

    /** How a client of one's own reaches it, with all rights. */
    public Config config() {
        return Config.fromKubeconfig(server.getKubeConfigYaml());
    }

    /** The same for programs. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** A namespace of one's own. */
    public String namespace() {
        String name = "test-" + namespaces.incrementAndGet();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        return name;
    }

    /** What kubectl prints; the test fails if kubectl does. */
    public String kubectl(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(programs.resolve("kubectl").toString(), "--kubeconfig", kubeconfig.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "kubectl did not end");
        assertEquals(0, process.exitValue(), () -> String.join(" ", arguments) + ": " + output);
        return output;
    }

    @Override
    public void close() {
        client.close();
        server.stop();
        try {
            Files.deleteIfExists(kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isServed(@Nullable CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals("Established")
                                && c.getStatus().equals("True"));
    }

    private static String architecture() {
        return System.getProperty("os.arch").toLowerCase(Locale.ROOT).equals("aarch64") ? "arm64" : "amd64";
    }
}

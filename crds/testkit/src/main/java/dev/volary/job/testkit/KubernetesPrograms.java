// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Where etcd, kube-apiserver and kubectl are: {@code KUBEBUILDER_ASSETS}, or what {@code e2e/testbed} has built. */
final class KubernetesPrograms {
    private KubernetesPrograms() {}

    static Optional<Path> find() throws IOException, InterruptedException {
        Optional<Path> folder = Optional.ofNullable(System.getenv("KUBEBUILDER_ASSETS"))
                .filter(named -> !named.isBlank())
                .map(Path::of);
        return (folder.isPresent() ? folder : built())
                .filter(programs -> Files.isExecutable(programs.resolve("kube-apiserver")));
    }

    private static Optional<Path> built() throws IOException, InterruptedException {
        Process where = new ProcessBuilder(Checkout.file("e2e/testbed/testbed").toString(), "where")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String folder = new String(where.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return where.waitFor(10, TimeUnit.SECONDS) && where.exitValue() == 0 && !folder.isEmpty()
                ? Optional.of(Path.of(folder))
                : Optional.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.UsageException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which cluster and namespace, by the names that kubectl gives these options. */
final class ClusterOptions {
    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The job's namespace; the context's if not given.")
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "The kubeconfig's context; the current if not given.")
    private Optional<String> context = Optional.empty();

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "The kubeconfig; as kubectl's if not given.")
    private Optional<Path> kubeconfig = Optional.empty();

    /** See {@link ClusterClient#connect}. */
    ClusterClient connect() throws UsageException {
        return ClusterClient.connect(kubeconfig, context, namespace);
    }
}

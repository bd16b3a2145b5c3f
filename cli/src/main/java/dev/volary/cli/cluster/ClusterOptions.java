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
            description = "Namespace of the job. Default: the namespace of the context.")
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context of the kubeconfig. Default: the current context.")
    private Optional<String> context = Optional.empty();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig file. Default: the one that kubectl uses.")
    private Optional<Path> kubeconfig = Optional.empty();

    /** See {@link ClusterClient#connect}. */
    ClusterClient connect() throws UsageException {
        return ClusterClient.connect(kubeconfig, context, namespace);
    }
}

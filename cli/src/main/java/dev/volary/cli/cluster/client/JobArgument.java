// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster.client;

import dev.volary.cli.console.UsageException;
import dev.volary.job.resource.IterativeJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments that name a job and its cluster. */
public final class JobArgument {
    @Parameters(paramLabel = "JOB", description = "Name of the job.")
    private String name = "";

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

    /** The name, as the user wrote it. */
    public String name() {
        return name;
    }

    /** See {@link ClusterClient#connect}. */
    public ClusterClient connect() throws UsageException {
        return ClusterClient.connect(kubeconfig, context, namespace);
    }

    /** Reads the job. */
    public IterativeJob in(ClusterClient cluster) throws UsageException, IOException {
        return cluster.job(name);
    }
}

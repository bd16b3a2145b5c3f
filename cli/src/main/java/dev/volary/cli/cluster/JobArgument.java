// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.UsageException;
import dev.volary.job.resource.IterativeJob;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The job that a command is about, and the cluster it is on. */
final class JobArgument {
    @Parameters(paramLabel = "JOB", description = "The job's name.")
    private String name = "";

    @Mixin
    private ClusterOptions where = new ClusterOptions();

    /** As the user wrote it. */
    String name() {
        return name;
    }

    /** See {@link ClusterClient#connect}. */
    ClusterClient connect() throws UsageException {
        return where.connect();
    }

    /** The job as it is now. */
    IterativeJob in(ClusterClient cluster) throws UsageException, IOException {
        return cluster.job(name);
    }
}

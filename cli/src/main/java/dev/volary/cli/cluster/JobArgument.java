// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.cluster;

import dev.volary.cli.UsageException;
import dev.volary.job.resource.IterativeJob;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The arguments that name a job and its cluster. */
final class JobArgument {
    @Parameters(paramLabel = "JOB", description = "Name of the job.")
    private String name = "";

    @Mixin
    private ClusterOptions where = new ClusterOptions();

    /** The name, as the user wrote it. */
    String name() {
        return name;
    }

    /** See {@link ClusterClient#connect}. */
    ClusterClient connect() throws UsageException {
        return where.connect();
    }

    /** Reads the job. */
    IterativeJob in(ClusterClient cluster) throws UsageException, IOException {
        return cluster.job(name);
    }
}

package dev.volary.cli.cluster;

import dev.volary.cli.BadInput;
import dev.volary.job.resource.IterativeJob;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The job that a command is about, and the cluster it is on. */
final class NamedJob {
    @Parameters(paramLabel = "JOB", description = "The job's name.")
    private String name = "";

    @Mixin
    private ClusterOptions where = new ClusterOptions();

    /** As the user wrote it. */
    String name() {
        return name;
    }

    /** See {@link Cluster#connect}. */
    Cluster connect() throws BadInput {
        return where.connect();
    }

    /** The job as it is now. */
    IterativeJob in(Cluster cluster) throws BadInput, IOException {
        return cluster.job(name);
    }
}

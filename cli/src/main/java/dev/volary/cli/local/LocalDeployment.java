// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.local;

import dev.volary.cli.check.ValidatedJob;
import dev.volary.job.description.Deployment;
import dev.volary.job.description.JobDescriptionFactory;
import dev.volary.job.description.JobIdentity;
import dev.volary.job.spec.JobSpec;
import dev.volary.mesh.job.IterationPace;
import dev.volary.mesh.v1.JobDescription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/**
 * Deploys the workers of one job on this machine.
 *
 * @param checked the job; this process has checked what workers check on a cluster
 * @param settings options of the command line
 * @param processors number of processors of this machine
 */
public record LocalDeployment(ValidatedJob checked, RunSettings settings, int processors) implements Deployment {
    private static final String NAMESPACE = "local";
    private static final Duration FORMATION = Duration.ofSeconds(60);

    /** With more workers per processor than this, heartbeats are late by seconds while a job starts. */
    private static final int WORKERS_PER_PROCESSOR = 4;

    /** Switches off backups and failure detection, for benchmarks. */
    private static final boolean WITHOUT_FAULT_TOLERANCE = "off".equals(System.getenv("VOLARY_FAULT_TOLERANCE"));

    private static final Duration NEVER = Duration.ofDays(7);

    /** The job description for the workers of this run. */
    public static JobDescription describe(ValidatedJob checked, RunSettings settings, String version) {
        JobIdentity job =
                new JobIdentity(checked.name(), NAMESPACE, UUID.randomUUID().toString());
        int processors = Runtime.getRuntime().availableProcessors();
        return JobDescriptionFactory.of(
                job,
                checked.spec(),
                checked.decomposition().blocks(),
                version,
                new LocalDeployment(checked, settings, processors));
    }

    @Override
    public double slowness(JobSpec spec) {
        return slowness(spec, processors);
    }

    public static double slowness(JobSpec spec, int processors) {
        int workers = spec.daemons().replicas() + spec.daemons().standbys() + spec.spawnerCount();
        return Math.max(1, (double) workers / (WORKERS_PER_PROCESSOR * processors));
    }

    @Override
    public void complete(JobDescription.Builder description, JobSpec spec) {
        description
                .setFormationMillis(FORMATION.toMillis())
                .setResultFolder(settings.output().toAbsolutePath().toString())
                .setSeed(settings.seed())
                .setFaults(settings.faults())
                .setBulkShare(settings.haloShare())
                .setThreads(settings.threads());
        // This process has fetched those of object stores.
        description.clearStoredInputs();
        checked.inputs().folders().forEach((name, folder) -> description.putInputs(name, folder.toString()));
        settings.checkpoints()
                .ifPresent(folder -> description.clearCheckpointStore().setCheckpointFolder(ofJob(folder)));
        settings.restore().ifPresent(folder -> description.clearRestoreStore().setRestoreFolder(ofJob(folder)));
        settings.pace().forEach((worker, pace) -> IterationPace.put(description, worker, pace));
        if (WITHOUT_FAULT_TOLERANCE) {
            description.setCopies(0);
            description.getFailureDetectionBuilder().setTimeoutMillis(NEVER.toMillis());
        }
    }

    private String ofJob(Path folder) {
        return folder.toAbsolutePath().resolve(checked.name()).toString();
    }
}

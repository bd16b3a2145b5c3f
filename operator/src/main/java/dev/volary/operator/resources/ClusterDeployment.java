// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.resources;

import dev.volary.job.description.Deployment;
import dev.volary.job.description.JobDescriptionFactory;
import dev.volary.job.description.JobIdentity;
import dev.volary.job.resource.IterativeJob;
import dev.volary.job.resource.Names;
import dev.volary.job.spec.InputSpec;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.RestoreSpec;
import dev.volary.mesh.job.JobDescriptionFile;
import dev.volary.mesh.link.MeshConfig;
import dev.volary.mesh.v1.JobDescription;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Deploys the workers of one job as pods. The operator has no solvers: workers open the problem, and a spawner checks it.
 *
 * @param jobName name of the job, and of its folder on a checkpoint volume
 */
record ClusterDeployment(String jobName) implements Deployment {
    static final String KEY = "job.json";
    private static final String RESULTS = "/var/spool/volary";

    /** Path of the input folders in a pod, one below it for each input name. */
    static final String INPUTS = "/var/lib/volary/inputs";

    /** The deadlines of the job limit its formation; this limit is only longer than any image pull or scale-up. */
    private static final Duration FORMATION = Duration.ofDays(1);

    /** The ConfigMap with the job description. */
    static ConfigMap configMap(IterativeJob job, String version) {
        return new ConfigMapBuilder()
                .withMetadata(OwnedMetadata.meta(
                        job, Names.description(job.getMetadata().getName())))
                .withData(Map.of(KEY, JobDescriptionFile.write(describe(job, version))))
                .build();
    }

    /** The job description for the workers. */
    static JobDescription describe(IterativeJob job, String version) {
        String name = job.getMetadata().getName();
        return JobDescriptionFactory.of(
                new JobIdentity(
                        name,
                        job.getMetadata().getNamespace(),
                        job.getMetadata().getUid()),
                job.getSpec(),
                blocks(job),
                version,
                new ClusterDeployment(name));
    }

    @Override
    public void complete(JobDescription.Builder description, JobSpec spec) {
        description
                .setCheckProblem(true)
                .setExpectedDaemons(spec.daemons().minimum())
                .setWantedDaemons(spec.daemons().computing())
                .setFormationMillis(FORMATION.toMillis())
                .setResultFolder(RESULTS)
                .setResultCopies(resultCopies(spec))
                .setSeed(description.getProblemHash())
                .setBulkShare(MeshConfig.DEFAULT_BULK_SHARE);
        if (spec.checkpoint().volume() != null) {
            description.setCheckpointFolder(WorkerPod.CHECKPOINTS + "/" + jobName);
        }
        if (spec.result().volume() != null) {
            description.setResultVolume(WorkerPod.RESULTS);
        }
        if (description.hasResultStore()) {
            description.getResultStoreBuilder().setCredentialsFolder(StoreAccess.resultCredentials(spec));
        }
        if (description.hasCheckpointStore()) {
            description.getCheckpointStoreBuilder().setCredentialsFolder(StoreAccess.checkpointCredentials(spec));
        }
        if (description.hasRestoreStore()) {
            description.getRestoreStoreBuilder().setCredentialsFolder(StoreAccess.restoreCredentials(spec));
        }
        RestoreSpec restore = spec.restoreFrom();
        if (restore != null && restore.persistentVolumeClaim() != null) {
            description.setRestoreFolder(WorkerPod.RESTORE + "/" + Objects.requireNonNullElse(restore.job(), jobName));
        }
        int stored = 0;
        for (int i = 0; i < spec.inputs().size(); i++) {
            InputSpec input = spec.inputs().get(i);
            if (input.objectStore() == null) {
                description.putInputs(input.name(), INPUTS + "/" + input.name());
            } else {
                description
                        .getStoredInputsBuilder(stored++)
                        .getStoreBuilder()
                        .setCredentialsFolder(StoreAccess.inputCredentials(spec, i));
            }
        }
    }

    /** The number of blocks, which does not change when the job is scaled. */
    private static int blocks(IterativeJob job) {
        @Nullable Integer planned = job.getStatus() == null ? null : job.getStatus().blocks();
        return job.getSpec().blocks() == null && planned != null
                ? planned
                : job.getSpec().blockCount();
    }

    /** Number of spawners that hold the result before the job ends, or before it is brought to other storage. */
    private static int resultCopies(JobSpec spec) {
        return Math.min(2, spec.spawnerCount());
    }
}

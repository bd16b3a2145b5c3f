// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import dev.volary.job.manifest.Manifest;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.SpecPatterns;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** A job: one problem, solved to a tolerance by daemons that come and go. */
@Group(IterativeJob.GROUP)
@Version(IterativeJob.VERSION)
@Plural("iterativejobs")
@Singular("iterativejob")
@ShortNames("ij")
@Categories({"all", "volary"})
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Residual",
        jsonPath = ".status.certifiedResidual",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Tolerance", jsonPath = ".status.tolerance", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Daemons",
        jsonPath = ".status.daemons.ready",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Wanted",
        jsonPath = ".spec.daemons.replicas",
        type = AdditionalPrinterColumn.Type.INTEGER,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Standby",
        jsonPath = ".status.daemons.standby",
        type = AdditionalPrinterColumn.Type.INTEGER,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Replaced",
        jsonPath = ".status.replacements.total",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Iterations",
        jsonPath = ".status.iterations",
        type = AdditionalPrinterColumn.Type.INTEGER,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Retries",
        jsonPath = ".status.retriesUsed",
        type = AdditionalPrinterColumn.Type.INTEGER,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Checkpoint",
        jsonPath = ".status.lastCheckpointTime",
        type = AdditionalPrinterColumn.Type.DATE,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Leader",
        jsonPath = ".status.leader",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
@ValidationRule(
        value = "self.metadata.name.size() <= " + SpecPatterns.LONGEST_JOB_NAME + " && self.metadata.name"
                + SpecPatterns.MATCHES + SpecPatterns.JOB_NAME + SpecPatterns.WHOLE,
        messageExpression = "'metadata.name is \"%s\"; pods and services are named after it: use at most "
                + SpecPatterns.LONGEST_JOB_NAME
                + " lower case letters, digits and dashes, beginning with a letter'.format([self.metadata.name])")
public final class IterativeJob extends CustomResource<JobSpec, JobStatus> implements Namespaced {
    private static final long serialVersionUID = 1L;

    public static final String GROUP = Manifest.GROUP;
    public static final String VERSION = Manifest.VERSION;

    /**
     * Annotation that asks for a snapshot now: any new value is one request. {@link JobStatus#checkpointRequest} repeats
     * the value once that snapshot is durable or was refused.
     */
    public static final String CHECKPOINT_REQUEST = GROUP + "/checkpoint-request";
}

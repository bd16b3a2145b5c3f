package dev.volary.crd.api;

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
public final class IterativeJob extends CustomResource<JobSpec, JobStatus> implements Namespaced {
    private static final long serialVersionUID = 1L;

    public static final String GROUP = "volary.dev";
    public static final String VERSION = "v1alpha1";

    /**
     * Annotation that asks for a snapshot now: any new value is one request. {@link JobStatus#checkpointRequest} repeats
     * the value once that snapshot is durable or was refused.
     */
    public static final String CHECKPOINT_REQUEST = GROUP + "/checkpoint-request";
}

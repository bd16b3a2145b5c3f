// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

import java.util.Map;
import java.util.TreeMap;

/** How the objects of a job are labeled. A role is {@code daemon} or {@code spawner}. */
public final class Labels {
    public static final String NAME = "app.kubernetes.io/name";
    public static final String INSTANCE = "app.kubernetes.io/instance";
    public static final String COMPONENT = "app.kubernetes.io/component";
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String JOB = "volary.dev/job";
    /** Which worker group a pod belongs to. */
    public static final String WORKER_GROUP = "volary.dev/worker-group";

    /** Selects everything that the operator makes. */
    public static final String MANAGED = MANAGED_BY + "=volary";

    private Labels() {}

    /** Of any object of a job. */
    public static Map<String, String> of(String job) {
        return Map.of(NAME, "volary", INSTANCE, job, MANAGED_BY, "volary", JOB, job);
    }

    /** Of a job's pods of a role. */
    public static Map<String, String> of(String job, String role) {
        return with(of(job), role);
    }

    /** Which pods of a namespace are a job's workers. */
    public static Map<String, String> select(String job) {
        return Map.of(JOB, job, NAME, "volary");
    }

    /** Which pods of a namespace are a job's workers of a role. */
    public static Map<String, String> select(String job, String role) {
        return with(select(job), role);
    }

    /** The same for daemons, as text. */
    public static String daemonSelector(String job) {
        return COMPONENT + "=daemon," + JOB + "=" + job;
    }

    private static Map<String, String> with(Map<String, String> labels, String role) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(COMPONENT, role);
        return more;
    }
}

package dev.volary.operator.objects;

import dev.volary.operator.pod.Role;
import java.util.Map;
import java.util.TreeMap;

/** How the objects of a job are labelled. */
public final class Labels {
    public static final String NAME = "app.kubernetes.io/name";
    public static final String INSTANCE = "app.kubernetes.io/instance";
    public static final String COMPONENT = "app.kubernetes.io/component";
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String JOB = "volary.dev/job";

    /** Selects everything that the operator makes. */
    public static final String MANAGED = MANAGED_BY + "=volary";

    private Labels() {}

    /** Of any object of a job. */
    public static Map<String, String> of(String job) {
        return Map.of(NAME, "volary", INSTANCE, job, MANAGED_BY, "volary", JOB, job);
    }

    /** Of a job's pods of a role. */
    public static Map<String, String> of(String job, Role role) {
        Map<String, String> labels = new TreeMap<>(of(job));
        labels.put(COMPONENT, role.label());
        return labels;
    }

    /** Which pods of a namespace are a job's workers. */
    static Map<String, String> select(String job) {
        return Map.of(JOB, job, NAME, "volary");
    }

    /** Which pods of a namespace are a job's workers of a role. */
    static Map<String, String> select(String job, Role role) {
        return Map.of(JOB, job, NAME, "volary", COMPONENT, role.label());
    }

    /** The same for daemons, as text. */
    public static String daemonSelector(String job) {
        return COMPONENT + "=" + Role.DAEMON.label() + "," + JOB + "=" + job;
    }
}

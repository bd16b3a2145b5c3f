package dev.volary.cli.cluster;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How the operator names and labels what it makes for a job; a test compares this with the operator. */
final class ObjectNames {
    /** Where spawners answer, inside their pods. */
    static final int CONTROL_PORT = 7400;
    /** The container of a worker. */
    static final String CONTAINER = "worker";
    /** Keys of the authority's secret. */
    static final String AUTHORITY_CERTIFICATE = "ca.crt";

    static final String AUTHORITY_KEY = "ca.key";

    private ObjectNames() {}

    /** Secret with the key that signs identities of the job. */
    static String authority(String job) {
        return job + "-ca";
    }

    /** Labels that select the pods of a job, all or those of a role. */
    static Map<String, String> select(String job, Optional<WorkerRole> role) {
        Map<String, String> labels = new TreeMap<>(Map.of("app.kubernetes.io/name", "volary", "volary.dev/job", job));
        role.ifPresent(one -> labels.put("app.kubernetes.io/component", one.name()));
        return labels;
    }
}

package dev.volary.operator.objects;

/** The names of a job's objects, pods aside. */
public final class Names {
    private Names() {}

    /** Secret with the authority's key; only the operator reads it. */
    public static String authority(String job) {
        return job + "-ca";
    }

    /** Secret with the identities of the pods. */
    public static String identities(String job) {
        return job + "-tls";
    }

    /** ConfigMap with the job description. */
    public static String description(String job) {
        return job + "-job";
    }

    /** Headless service of the spawners. */
    public static String spawners(String job) {
        return job + "-spawners";
    }

    /** Headless service of the daemons. */
    public static String daemons(String job) {
        return job + "-daemons";
    }

    /** The arbiter's lease. */
    public static String lease(String job) {
        return job + "-lead";
    }

    /** Service account, role and binding of the spawners. */
    public static String spawnerAccount(String job) {
        return job + "-spawner";
    }
}

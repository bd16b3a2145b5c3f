// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

/** The names of a job's objects, pods aside. */
public final class Names {
    /** The container of a worker: Volary adds it to a pod template, or completes the one of that name. */
    public static final String CONTAINER = "worker";
    /** Key of the authority's certificate, in both secrets. */
    public static final String AUTHORITY_CERTIFICATE = "ca.crt";
    /** Key of the authority's private key, in the authority's own secret only. */
    public static final String AUTHORITY_KEY = "ca.key";

    private Names() {}

    /** Secret with the authority's key. A client that reads it can impersonate every worker of the job, and the operator. */
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

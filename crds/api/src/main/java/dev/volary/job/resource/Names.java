// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.resource;

/**
 * The names of a job's objects, pods aside. All but the Lease begin with {@code volary-<job>-}, so that they do not meet those of
 * other tools: {@code <name>-tls} belongs to cert-manager and Ingress. Two jobs never share a name, whatever they are called: the
 * part after the job's name is one of a fixed set, or a pod's with {@code identity}. Names of Services have at most 63 characters.
 */
public final class Names {
    /** The container of a worker: Volary adds it to a pod template, or completes the one of that name. */
    public static final String CONTAINER = "worker";
    /** Key of the authority's certificate, in the Secrets of the authority and of identities. */
    public static final String AUTHORITY_CERTIFICATE = "ca.crt";
    /** Key of the authority's private key, in the authority's own Secret only. */
    public static final String AUTHORITY_KEY = "ca.key";

    private Names() {}

    /** Secret with the authority's key. A client that reads it can impersonate every worker of the job, and the operator. */
    public static String authority(String job) {
        return of(job, "ca");
    }

    /** Secret with the certificate and the key of one pod. */
    public static String identity(String pod) {
        return of(pod, "identity");
    }

    /** ConfigMap with the job description. */
    public static String description(String job) {
        return of(job, "job");
    }

    /** Headless Service of the spawners. The letter is that of their pods: the longest name of a job leaves no room for more. */
    public static String spawnerService(String job) {
        return of(job, "s");
    }

    /** Headless Service of the daemons, as {@link #spawnerService}. */
    public static String daemonService(String job) {
        return of(job, "d");
    }

    /** NetworkPolicy of the spawners. */
    public static String spawnerPolicy(String job) {
        return of(job, "spawners");
    }

    /** NetworkPolicy of the daemons. */
    public static String daemonPolicy(String job) {
        return of(job, "daemons");
    }

    /** The arbiter's Lease. */
    public static String lease(String job) {
        return job + "-lead";
    }

    /** Service account, Role and RoleBinding of the spawners. */
    public static String spawnerAccount(String job) {
        return of(job, "spawner");
    }

    private static String of(String owner, String object) {
        return "volary-" + owner + "-" + object;
    }
}

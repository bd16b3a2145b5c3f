// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

/**
 * Regular expressions that the API server and {@code dev.volary.job.validation} apply alike. A CEL rule puts one between
 * {@link #MATCHES} and {@link #WHOLE}.
 */
public final class SpecPatterns {
    /** A job's name. */
    public static final String JOB_NAME = "[a-z]([-a-z0-9]*[a-z0-9])?";

    /** Longest name of a job: pods and services are named after it. */
    public static final int LONGEST_JOB_NAME = 50;

    /** Lower case letters, digits and dashes, with a letter or digit at both ends. */
    public static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

    /** A controller, as domain/path. */
    public static final String MANAGER = "[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?";

    /** A decimal number that CEL and Java read alike; the exponent is bounded so that it cannot overflow. */
    public static final String DECIMAL = "([0-9]+([.][0-9]*)?|[.][0-9]+)([eE](-[0-9]{1,3}|[+]?[0-9]{1,2}))?";

    /** URL of an object store. */
    public static final String ENDPOINT = "https?://[-A-Za-z0-9.]+(:[0-9]{1,5})?/?";

    /** Name of a bucket. */
    public static final String BUCKET = "[a-z0-9][-a-z0-9.]{1,61}[a-z0-9]";

    /** A SHA-256 checksum. */
    public static final String SHA_256 = "[0-9a-f]{64}";

    /** A number of iterations. */
    public static final String ITERATIONS = "[1-9][0-9]*";

    /** In CEL, appended to what is to match as a whole. */
    public static final String MATCHES = ".matches('^";

    /** In CEL, the end of such a match. */
    public static final String WHOLE = "$')";

    private SpecPatterns() {}
}

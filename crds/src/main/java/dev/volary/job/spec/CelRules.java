// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

/**
 * Parts of the rules that the API server checks, in CEL. A rule's message names field, value and remedy, as every message of
 * the project does.
 */
final class CelRules {
    /** End of a message: what to do about a field that was changed. */
    static final String KEEP =
            "it cannot change once the job exists; restore it, or delete the job and apply a new one'";

    /** Lower case letters, digits and dashes, with a letter or digit at both ends. */
    static final String LABEL = "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')";

    static final String LABEL_REMEDY =
            "\"; use lower case letters, digits and dashes, with a letter or digit at both ends'";

    /** A decimal number that CEL and Java read alike; the exponent is bounded so that it cannot overflow. */
    static final String DECIMAL = ".matches('^([0-9]+([.][0-9]*)?|[.][0-9]+)([eE](-[0-9]{1,3}|[+]?[0-9]{1,2}))?$')";

    /** A duration with one unit. */
    static final String DURATION = ".matches('^[0-9]{1,6}(ms|s|m|h)$')";

    /** The most daemons that a job may come to have, standbys included. */
    static final String MOST_DAEMONS =
            "((has(self.daemons.max) ? self.daemons.max : self.daemons.replicas) + self.daemons.standbys)";

    /** The number of spawners, where it matters for copies: a job with more than two has more daemons than copies. */
    static final String SPAWNERS = "(has(self.spawners.replicas) ? self.spawners.replicas : 2)";

    private CelRules() {}
}

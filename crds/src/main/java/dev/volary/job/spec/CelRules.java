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

    static final String LABEL = "self" + SpecPatterns.MATCHES + SpecPatterns.LABEL + SpecPatterns.WHOLE;

    static final String LABEL_REMEDY =
            "\"; use lower case letters, digits and dashes, with a letter or digit at both ends'";

    static final String DECIMAL = SpecPatterns.MATCHES + SpecPatterns.DECIMAL + SpecPatterns.WHOLE;

    /** A duration with one unit. */
    static final String DURATION = ".matches('^[0-9]{1,6}(ms|s|m|h)$')";

    /** The most daemons that a job may come to have, standbys included. */
    static final String MOST_DAEMONS =
            "((has(self.daemons.max) ? self.daemons.max : self.daemons.replicas) + self.daemons.standbys)";

    /** The number of spawners, where it matters for copies: a job with more than two has more daemons than copies. */
    static final String SPAWNERS = "(has(self.spawners.replicas) ? self.spawners.replicas : 2)";

    private CelRules() {}
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.tls;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who a worker is: {@code spiffe://volary.local/ns/<namespace>/job/<job>/<role>/<name>}.
 *
 * @param namespace of the job
 * @param job its name
 * @param role {@link #DAEMON}, {@link #SPAWNER}, {@link #OPERATOR} or {@code parent}
 * @param name of the worker, as {@code daemon-3}
 */
public record SpiffeId(String namespace, String job, String role, String name) {
    /** The role of workers that compute. */
    public static final String DAEMON = "daemon";

    /** The role of workers that own groups. */
    public static final String SPAWNER = "spawner";

    /** The role of the operator and of the command line. */
    public static final String OPERATOR = "operator";

    private static final String SEGMENT = "([A-Za-z0-9._-]+)";
    private static final Pattern FORM = Pattern.compile(
            "spiffe://volary\\.local/ns/" + SEGMENT + "/job/" + SEGMENT + "/" + SEGMENT + "/" + SEGMENT);
    private static final Pattern ONE = Pattern.compile(SEGMENT);

    public SpiffeId {
        require("namespace", namespace);
        require("job", job);
        require("role", role);
        require("name", name);
    }

    /**
     * Reads the URI form.
     *
     * @throws IllegalArgumentException if it is of another form
     */
    public static SpiffeId parse(String uri) {
        Matcher matcher = FORM.matcher(uri);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "identity is " + uri + ", expected spiffe://volary.local/ns/<namespace>/job/<job>/<role>/<name>");
        }
        return new SpiffeId(matcher.group(1), matcher.group(2), matcher.group(3), matcher.group(4));
    }

    /** Whether both work for the same job. */
    public boolean sameJob(SpiffeId other) {
        return namespace.equals(other.namespace) && job.equals(other.job);
    }

    /** The URI form. */
    public String uri() {
        return "spiffe://volary.local/ns/" + namespace + "/job/" + job + "/" + role + "/" + name;
    }

    @Override
    public String toString() {
        return uri();
    }

    private static void require(String field, String value) {
        if (!ONE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    field + " is '" + value + "', must be letters, digits, '.', '_' and '-' only");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * PodRole and serial number of a worker pod. A serial is used once: the replacement of a pod has a higher one.
 *
 * @param role role of the pod
 * @param serial counted from 0 for each role
 */
public record PodName(PodRole role, long serial) implements Comparable<PodName> {
    private static final Pattern FORM = Pattern.compile("-([ds])-(0|[1-9]\\d{0,17})");
    private static final Comparator<PodName> ORDER =
            Comparator.comparing(PodName::role).thenComparingLong(PodName::serial);

    /** The pod's name: {@code <job>-d-<serial>} or {@code <job>-s-<serial>}. */
    public String of(String job) {
        return job + "-" + role.letter() + "-" + serial;
    }

    /** Parses the name of a pod; empty if it does not belong to the job. */
    public static Optional<PodName> parse(String job, String pod) {
        if (!pod.startsWith(job)) {
            return Optional.empty();
        }
        Matcher matcher = FORM.matcher(pod.substring(job.length()));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        PodRole role = matcher.group(1).charAt(0) == PodRole.DAEMON.letter() ? PodRole.DAEMON : PodRole.SPAWNER;
        return Optional.of(new PodName(role, Long.parseLong(matcher.group(2))));
    }

    @Override
    public int compareTo(PodName other) {
        return ORDER.compare(this, other);
    }
}

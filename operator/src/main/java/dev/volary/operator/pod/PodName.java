// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.pod;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in a job's crew that is used once: a pod's replacement has a higher serial.
 *
 * @param role of the pod
 * @param serial counted from 0, for each role alone
 */
public record PodName(Role role, long serial) implements Comparable<PodName> {
    private static final Pattern FORM = Pattern.compile("-([ds])-(0|[1-9]\\d{0,17})");
    private static final Comparator<PodName> ORDER =
            Comparator.comparing(PodName::role).thenComparingLong(PodName::serial);

    /** The pod's name: {@code <job>-d-<serial>} or {@code <job>-s-<serial>}. */
    public String of(String job) {
        return job + "-" + role.letter() + "-" + serial;
    }

    /** Reads a pod's name; nothing if the pod is none of the job's. */
    public static Optional<PodName> parse(String job, String pod) {
        if (!pod.startsWith(job)) {
            return Optional.empty();
        }
        Matcher matcher = FORM.matcher(pod.substring(job.length()));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Role role = matcher.group(1).charAt(0) == Role.DAEMON.letter() ? Role.DAEMON : Role.SPAWNER;
        return Optional.of(new PodName(role, Long.parseLong(matcher.group(2))));
    }

    @Override
    public int compareTo(PodName other) {
        return ORDER.compare(this, other);
    }
}

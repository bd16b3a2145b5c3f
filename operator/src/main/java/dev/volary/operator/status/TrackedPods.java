// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.status;

import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.PodRole;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The pods whose loss is not counted yet, with the restarts of their containers counted so far. Stored in the status, so that
 * each loss is counted once even if the operator restarts.
 *
 * @param restartsByPod counted restarts of the container of each pod
 */
public record TrackedPods(SortedMap<PodName, Integer> restartsByPod) {
    private static final Pattern RANGE = Pattern.compile("([ds])(\\d{1,18})(?:-(\\d{1,18}))?(?:r(\\d{1,9}))?");

    public TrackedPods {
        restartsByPod = new TreeMap<>(restartsByPod);
    }

    /** Parses the text of {@link #toString}. Ignores malformed parts; their pods are tracked again when they are observed. */
    public static TrackedPods parse(@Nullable String text) {
        SortedMap<PodName, Integer> restartsByPod = new TreeMap<>();
        Matcher matcher = RANGE.matcher(text == null ? "" : text);
        while (matcher.find()) {
            PodRole role = matcher.group(1).charAt(0) == PodRole.DAEMON.letter() ? PodRole.DAEMON : PodRole.SPAWNER;
            long first = Long.parseLong(matcher.group(2));
            long last = matcher.group(3) == null ? first : Long.parseLong(matcher.group(3));
            int restarts = matcher.group(4) == null ? 0 : Integer.parseInt(matcher.group(4));
            for (long serial = first; serial <= last; serial++) {
                restartsByPod.put(new PodName(role, serial), restarts);
            }
        }
        return new TrackedPods(restartsByPod);
    }

    /** Formats consecutive pods with equal restarts as ranges: {@code d0-3,d5r2,s0}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        @Nullable PodName first = null;
        @Nullable PodName last = null;
        int restarts = 0;
        for (Map.Entry<PodName, Integer> entry : restartsByPod.entrySet()) {
            PodName pod = entry.getKey();
            boolean continues = last != null
                    && pod.role() == last.role()
                    && pod.serial() == last.serial() + 1
                    && entry.getValue() == restarts;
            if (!continues) {
                append(text, first, last, restarts);
                first = pod;
                restarts = entry.getValue();
            }
            last = pod;
        }
        append(text, first, last, restarts);
        return text.toString();
    }

    private static void append(StringBuilder text, @Nullable PodName first, @Nullable PodName last, int restarts) {
        if (first == null || last == null) {
            return;
        }
        text.append(text.isEmpty() ? "" : ",").append(first.role().letter()).append(first.serial());
        if (last.serial() > first.serial()) {
            text.append('-').append(last.serial());
        }
        if (restarts > 0) {
            text.append('r').append(restarts);
        }
    }
}

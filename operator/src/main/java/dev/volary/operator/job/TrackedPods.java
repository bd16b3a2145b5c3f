// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.job;

import dev.volary.operator.pod.PodName;
import dev.volary.operator.pod.Role;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Pods that were seen alive and whose loss is still to be counted, with the restarts of their containers counted so far. It
 * stands in the status, so that each loss is counted once, whichever operator sees it.
 *
 * @param members restarts by pod
 */
public record TrackedPods(SortedMap<PodName, Integer> members) {
    private static final Pattern RANGE = Pattern.compile("([ds])(\\d{1,18})(?:-(\\d{1,18}))?(?:r(\\d{1,9}))?");

    public TrackedPods {
        members = new TreeMap<>(members);
    }

    /** Reads the text of {@link #toString}; an unreadable part is left out, its pods join again when they are seen. */
    public static TrackedPods parse(@Nullable String text) {
        SortedMap<PodName, Integer> members = new TreeMap<>();
        Matcher matcher = RANGE.matcher(text == null ? "" : text);
        while (matcher.find()) {
            Role role = matcher.group(1).charAt(0) == Role.DAEMON.letter() ? Role.DAEMON : Role.SPAWNER;
            long first = Long.parseLong(matcher.group(2));
            long last = matcher.group(3) == null ? first : Long.parseLong(matcher.group(3));
            int restarts = matcher.group(4) == null ? 0 : Integer.parseInt(matcher.group(4));
            for (long serial = first; serial <= last; serial++) {
                members.put(new PodName(role, serial), restarts);
            }
        }
        return new TrackedPods(members);
    }

    /** Runs of equal neighbours in one: {@code d0-3,d5r2,s0}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        @Nullable PodName first = null;
        @Nullable PodName last = null;
        int restarts = 0;
        for (Map.Entry<PodName, Integer> member : members.entrySet()) {
            PodName pod = member.getKey();
            boolean continues = last != null
                    && pod.role() == last.role()
                    && pod.serial() == last.serial() + 1
                    && member.getValue() == restarts;
            if (!continues) {
                append(text, first, last, restarts);
                first = pod;
                restarts = member.getValue();
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

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and changes a list of conditions by the conventions of the Kubernetes API. */
public final class Conditions {
    private static final int MAX_MESSAGE = 2048;

    private Conditions() {}

    /**
     * Returns the list with one condition set. The transition time of the condition changes only with its status.
     *
     * @param message the message; the meaning of the reason if empty
     */
    public static List<Condition> set(
            List<Condition> conditions,
            ConditionType type,
            boolean holds,
            ConditionReason reason,
            String message,
            long generation,
            Instant now) {
        String status = holds ? "True" : "False";
        String since = find(conditions, type)
                .filter(c -> c.getStatus().equals(status))
                .map(Condition::getLastTransitionTime)
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        Condition next = new ConditionBuilder()
                .withType(type.name())
                .withStatus(status)
                .withReason(reason.name())
                .withMessage(shortened(message.isEmpty() ? reason.meaning() : message))
                .withObservedGeneration(generation)
                .withLastTransitionTime(since)
                .build();
        List<Condition> result = new ArrayList<>(conditions);
        for (int i = 0; i < result.size(); i++) {
            if (result.get(i).getType().equals(type.name())) {
                result.set(i, next);
                return result;
            }
        }
        result.add(next);
        return result;
    }

    /** The condition of a type. */
    public static Optional<Condition> find(List<Condition> conditions, ConditionType type) {
        return conditions.stream().filter(c -> c.getType().equals(type.name())).findFirst();
    }

    /** Whether a condition exists and is true. */
    public static boolean holds(List<Condition> conditions, ConditionType type) {
        return find(conditions, type).filter(c -> c.getStatus().equals("True")).isPresent();
    }

    /** Whether any condition has this reason. */
    public static boolean show(List<Condition> conditions, ConditionReason reason) {
        return conditions.stream().anyMatch(c -> reason.name().equals(c.getReason()));
    }

    private static String shortened(String message) {
        return message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE - 1) + "…";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The operations page, {@code docs/reference/conditions.md}: all that the operator can say of a job, and what to do then. */
class ConditionsPageTest {
    private static final Path PAGE = Path.of("../docs/reference/conditions.md");
    private static final Path SOURCES = Path.of("src/main/java");

    @Test
    void thePageIsUpToDate() throws IOException {
        if (Boolean.getBoolean("volary.generate")) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, page());
        }
        assertEquals(
                page(),
                Files.exists(PAGE) ? Files.readString(PAGE) : "",
                "stale; run ./mvnw -pl operator -am test -Dtest=ConditionsPageTest -Dvolary.generate=true and commit it");
    }

    @Test
    void everyConditionAndEventIsOnThePage() throws IOException {
        String page = Files.readString(PAGE);
        for (String kind : List.of("ConditionType", "ConditionReason", "EventReason")) {
            Set<String> used = used(kind);
            assertTrue(used.size() > 3, () -> "too few constants found: " + kind + " " + used);
            used.forEach(name -> assertTrue(
                    page.contains("\n| `" + name + "` | "), () -> kind + "." + name + " is not on the page"));
        }
    }

    @Test
    void everyConstantIsUsed() throws IOException {
        assertEquals(names(ConditionType.values()), used("ConditionType"));
        assertEquals(names(ConditionReason.values()), used("ConditionReason"));
        assertEquals(names(EventReason.values()), used("EventReason"));
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Operating jobs: conditions, reasons, events

                <!-- Generated from the enums in dev.volary.operator.status; ConditionsPageTest explains how to update it. -->

                The conditions and events of a job, their meaning, and what to do. `kubectl describe ij JOB` shows all of them, `volary status JOB`
                the conditions.

                ## Conditions

                Conditions are in `status.conditions`, each with status, reason, message and the time of its last change. The message explains the
                reason.

                | condition | when it is true | needs attention if | what to do |
                |---|---|---|---|
                """);
        for (ConditionType type : ConditionType.values()) {
            row(page, type.name(), type.meaning(), type.attention(), type.remedy());
        }
        page.append("""

                ## Reasons

                Reasons of conditions and of the entries in `status.stateTransitions`.

                | reason | meaning | what to do |
                |---|---|---|
                """);
        for (ConditionReason reason : ConditionReason.values()) {
            row(page, reason.name(), reason.meaning(), orNothing(reason.remedy()));
        }
        page.append("""

                ## Events

                `kubectl get events --field-selector involvedObject.name=JOB`, or `kubectl events --for ij/JOB -w` to watch.

                | reason | type | meaning | what to do |
                |---|---|---|---|
                """);
        for (EventReason reason : EventReason.values()) {
            row(page, reason.name(), reason.type(), reason.meaning(), orNothing(reason.remedy()));
        }
        return page.toString();
    }

    private static void row(StringBuilder page, String name, String... cells) {
        page.append("| `").append(name).append("` | ");
        page.append(String.join(" | ", cells)).append(" |\n");
    }

    private static String orNothing(String remedy) {
        return remedy.isEmpty() ? "nothing" : remedy;
    }

    /** The constants of an enum that the operator's code mentions outside of the enum itself. */
    private static Set<String> used(String kind) throws IOException {
        Pattern mention = Pattern.compile("\\b" + kind + "\\.([A-Z]\\w+)");
        Set<String> names = new TreeSet<>();
        for (Path source : sources()) {
            Matcher matcher = mention.matcher(Files.readString(source));
            while (matcher.find()) {
                names.add(matcher.group(1));
            }
        }
        return names;
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(SOURCES)) {
            return all.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static Set<String> names(Enum<?>[] constants) {
        return Stream.of(constants).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
    }
}

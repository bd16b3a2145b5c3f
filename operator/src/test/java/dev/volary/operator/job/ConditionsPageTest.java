package dev.volary.operator.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page of conditions: {@code docs/reference/conditions.md}. */
class ConditionsPageTest {
    private static final Path PAGE = Path.of("../docs/reference/conditions.md");

    @Test
    void theKeptPageSaysWhatTheReasonsSay() throws IOException {
        StringBuilder page = new StringBuilder("""
                # Conditions of a job, and what to do

                <!-- Generated from dev.volary.operator.job.Reason; ConditionsPageTest says how to bring it up to date. -->

                `kubectl get ij JOB -o yaml` shows them below `status.conditions`: `Ready` (enough daemons compute), `Degraded` (fewer workers
                or copies than wanted), `Converged` (the certified residual is at most the tolerance), `Suspended` (no pod is left, the state
                is kept), `Failed` (the job ended without an answer). The reason of a condition is one of these:

                | reason | meaning | what to do |
                |---|---|---|
                """);
        for (Reason reason : Reason.values()) {
            page.append("| `")
                    .append(reason.name())
                    .append("` | ")
                    .append(reason.meaning())
                    .append(" | ")
                    .append(reason.remedy().isEmpty() ? "nothing" : reason.remedy())
                    .append(" |\n");
        }
        if (Boolean.getBoolean("volary.generate")) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, page);
        }
        assertEquals(
                page.toString(),
                Files.exists(PAGE) ? Files.readString(PAGE) : "",
                "stale; run ./mvnw -pl operator -am test -Dtest=ConditionsPageTest -Dvolary.generate=true and commit it");
    }
}

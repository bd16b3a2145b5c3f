// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/explanation/security.md} says of each right that the chart gives the operator what it is for, and names no other. */
class SecurityPageTest {
    private static final Path PAGE = Path.of("../docs/explanation/security.md");

    /** Rows that are not in the rules for a namespace: nodes in cluster-wide mode, and the election. */
    private static final List<String> ELSEWHERE = List.of(
            "| core | `nodes` | get, list, watch |",
            "| `coordination.k8s.io` | `leases` | create; get, update, patch of `volary-operator` |");

    @Test
    void thePageHasTheRightsOfTheChartInTheirOrder() throws IOException {
        List<String> rows = Pattern.compile("^(\\| \\S+ \\| `[^|]+` \\| [^|]+ \\|) [^|]+ \\|$", Pattern.MULTILINE)
                .matcher(operatorsRights())
                .results()
                .map(row -> row.group(1))
                .toList();
        List<String> expected =
                ChartRights.rules().stream().map(SecurityPageTest::row).collect(Collectors.toList());
        expected.addAll(ELSEWHERE);
        assertEquals(String.join("\n", expected), String.join("\n", rows));
    }

    private static String operatorsRights() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("### The operator");
        return page.substring(begin, page.indexOf("### Spawners", begin));
    }

    private static String row(PolicyRule rule) {
        String group = rule.getApiGroups().getFirst();
        return "| " + (group.isEmpty() ? "core" : "`" + group + "`") + " | "
                + rule.getResources().stream().map(one -> "`" + one + "`").collect(Collectors.joining(", "))
                + " | " + String.join(", ", rule.getVerbs()) + " |";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart's dashboard against a real Prometheus, while a job loses a daemon: each of its queries returns data. */
@OnCluster
@OnTestbed // Prometheus runs beside the cluster and reaches pods at their addresses
class DashboardIT {
    private static final Path DASHBOARD = Path.of("../helm/volary/dashboards/job.json");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");

    /** Seconds that the job lasts: until Prometheus has seen all that the dashboard shows. It is deleted then. */
    private static final int LONG_ENOUGH = 240;

    @TempDir
    Path folder;

    @Test
    void everyQueryOfTheDashboardReturnsDataOfAJobThatLosesADaemon() throws Exception {
        assumeTrue(Prometheus.program().isPresent(), "no prometheus on PATH, nor in " + Prometheus.PROGRAM);
        JsonObject dashboard =
                JsonParser.parseString(Files.readString(DASHBOARD)).getAsJsonObject();
        try (Prometheus prometheus = Prometheus.start(Prometheus.program().get(), folder);
                LongRunningJob running = new LongRunningJob("first-sight", LONG_ENOUGH)) {
            running.ready();
            ClusterJob job = running.job();
            prometheus.scrape(job);
            job.until("is seen", () -> prometheus.hasData(filled("up{job_name=\"$job\",role=\"daemon\"} == 1", job)));
            String victim = running.computing().getFirst();
            running.survives(List.of(victim), () -> Testbed.killProcess(job.pod(victim)));
            running.counts(1);
            prometheus.scrape(job);
            List<String> queries = queries(dashboard);
            assertTrue(queries.size() >= dashboard.getAsJsonArray("panels").size(), queries::toString);
            for (String query : queries) {
                job.until("shows " + query, () -> prometheus.hasData(filled(query, job)));
            }
            // A class that shares the cluster may have a job beside this one; the operator's own namespace has none.
            List<String> namespaces = choices(dashboard, "namespace", prometheus, job);
            assertTrue(namespaces.contains(job.namespace()), namespaces::toString);
            assertTrue(namespaces.stream().allMatch(it -> it.startsWith(ClusterJob.NAMESPACES)), namespaces::toString);
            assertEquals(List.of(job.name()), choices(dashboard, "job", prometheus, job));
        }
    }

    private static List<String> queries(JsonObject dashboard) {
        List<String> queries = new ArrayList<>();
        for (JsonElement panel : dashboard.getAsJsonArray("panels")) {
            for (JsonElement target : panel.getAsJsonObject().getAsJsonArray("targets")) {
                queries.add(target.getAsJsonObject().get("expr").getAsString());
            }
        }
        return queries;
    }

    /** What a variable of the dashboard offers to choose from. */
    private static List<String> choices(JsonObject dashboard, String variable, Prometheus prometheus, ClusterJob job)
            throws Exception {
        for (JsonElement there : dashboard.getAsJsonObject("templating").getAsJsonArray("list")) {
            JsonObject candidate = there.getAsJsonObject();
            if (candidate.get("name").getAsString().equals(variable)) {
                Matcher query = LABEL_VALUES.matcher(candidate.get("definition").getAsString());
                assertTrue(query.matches(), candidate::toString);
                return prometheus.labelValues(filled(query.group(1), job), query.group(2));
            }
        }
        throw new AssertionError("the dashboard has no variable " + variable);
    }

    private static String filled(String query, ClusterJob job) {
        return query.replace("$namespace", job.namespace()).replace("$job", job.name());
    }
}

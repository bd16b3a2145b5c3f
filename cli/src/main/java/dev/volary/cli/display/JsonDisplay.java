// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import dev.volary.cli.console.JsonText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Prints JSON lines: an object for each phase, snapshot and event, one per second for the daemons, and one for the summary. */
final class JsonDisplay implements Display {
    private static final Duration DAEMON_INTERVAL = Duration.ofSeconds(1);

    private final PrintWriter out;
    private Optional<JobView.Phase> shown = Optional.empty();
    private Duration next = Duration.ZERO;

    JsonDisplay(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void update(JobView view) {
        if (!shown.equals(Optional.of(view.phase()))) {
            shown = Optional.of(view.phase());
            write("phase", view.elapsed(), Map.of("phase", view.phase().name()));
        }
        view.events().forEach(event -> {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("problem", event.isProblem());
            json.put("text", event.text());
            if (!event.type().isEmpty()) {
                json.put("event", event.type());
                json.put("details", event.details());
            }
            write("event", event.time(), json);
        });
        view.snapshots().forEach(point -> {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("snapshot", point.snapshot());
            json.put("residual", point.residual());
            json.put("tolerance", view.tolerance());
            json.put("iterations", point.iterations());
            if (view.steps().hasTimeSteps()) {
                json.put("steps", view.steps().json());
            }
            if (point.equals(view.history().getLast())) {
                TimeLeft.of(view, point.time()).ifPresent(left -> json.put("time_left_s", left.toMillis() / 1e3));
            }
            write("snapshot", point.time(), json);
        });
        if (view.elapsed().compareTo(next) >= 0 && !view.daemons().isEmpty()) {
            next = view.elapsed().plus(DAEMON_INTERVAL);
            write(
                    "daemons",
                    view.elapsed(),
                    Map.of(
                            "daemons",
                            view.daemons().stream().map(JsonDisplay::json).toList()));
        }
        out.flush();
    }

    @Override
    public void finish(Summary summary) {
        out.println(JsonText.line(summary.json()));
        out.flush();
    }

    @Override
    public void close() {
        out.flush();
    }

    private void write(String type, Duration time, Map<String, ?> content) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", type);
        json.put("time_s", time.toNanos() / 1e9);
        json.putAll(content);
        out.println(JsonText.line(json));
    }

    private static Map<String, Object> json(JobView.DaemonRow row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", row.name());
        json.put("state", row.state().name());
        json.put("blocks", row.blocks());
        json.put("iterations", row.iterations());
        json.put("iterations_per_s", row.iterationsPerSecond());
        json.put("halo_age_ms", row.haloAge().toNanos() / 1e6);
        json.put("halo_age_iterations", row.haloAgeIterations());
        json.put("local_residual", row.localResidual());
        json.put("backups", row.backups());
        return json;
    }
}

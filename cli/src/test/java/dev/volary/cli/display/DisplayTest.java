// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.volary.cli.console.JsonText;
import dev.volary.cli.console.Style;
import dev.volary.cli.display.JobView.DaemonRow;
import dev.volary.cli.display.JobView.DaemonState;
import dev.volary.cli.display.JobView.JobEvent;
import dev.volary.cli.display.JobView.Phase;
import dev.volary.cli.display.JobView.SnapshotPoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what a user sees, on a terminal and elsewhere. */
class DisplayTest {
    private static final JobEvent LEADER = new JobEvent(Duration.ofMillis(300), false, "spawner s1 leads");
    private static final JobEvent STALE = new JobEvent(Duration.ofMillis(900), true, "d2 is silent");

    private final StringWriter text = new StringWriter();
    private final PrintWriter out = new PrintWriter(text);

    @Test
    void plainLinesShowEachPhaseSnapshotAndEventOnce() {
        try (Display display = new PlainDisplay(out)) {
            display.update(view(Phase.STARTING, 1, 0, List.of(LEADER)));
            display.update(view(Phase.COMPUTING, 2, 1, List.of(STALE)));
            display.update(view(Phase.COMPUTING, 3, 2, List.of()));
        }
        assertEquals(
                List.of(
                        "    0.30 s  spawner s1 leads",
                        "    1.00 s  starting workers",
                        "    0.90 s  warning: d2 is silent",
                        "    1.00 s  snapshot 1: certified residual 1.00e-01, tolerance 1.00e-04, 40 iterations",
                        "    2.00 s  computing",
                        "    2.00 s  snapshot 2: certified residual 1.00e-02, tolerance 1.00e-04, 80 iterations"),
                text.toString().lines().toList());
    }

    @Test
    void jsonLinesAreObjectsWithATypeAndATime() throws IOException {
        try (Display display = new JsonDisplay(out)) {
            display.update(view(Phase.COMPUTING, 2, 1, List.of(STALE)));
            display.update(view(Phase.COMPUTING, 2.5, 0, List.of()));
            display.finish(summary(Phase.CERTIFIED, 9e-5));
        }
        List<String> types = new ArrayList<>();
        for (String line : text.toString().lines().toList()) {
            JsonNode json = new ObjectMapper().readTree(line);
            types.add(json.get("type").asText());
        }
        // half a second after the daemons were shown they are not shown again
        assertEquals(List.of("phase", "event", "snapshot", "daemons", "summary"), types);
    }

    @Test
    void quietPrintsNothingForARunThatEndsWell() {
        try (Display display = new QuietDisplay(out)) {
            display.update(view(Phase.COMPUTING, 2, 1, List.of(STALE)));
            display.finish(summary(Phase.CERTIFIED, 9e-5));
        }
        assertEquals("", text.toString());
    }

    @Test
    void quietReportsWhyARunFailed() {
        try (Display display = new QuietDisplay(out)) {
            display.finish(summary(Phase.FAILED, Double.NaN));
        }
        assertTrue(text.toString().startsWith("heat: failed\n  block 3 found NaN; lower tau\n"), text.toString());
    }

    @Test
    void theSummaryComparesTheCertifiedResidualWithTheTolerance() {
        List<String> lines = summary(Phase.CERTIFIED, 9e-5).lines(Style.PLAIN);
        assertEquals("heat: certified", lines.getFirst());
        assertEquals("  certified residual  9.00e-05 ≤ 1.00e-04 (relative)", lines.get(1));
        assertEquals("  method              PointJacobi", lines.get(3));
        // 2e9 updates in two seconds
        assertTrue(lines.get(4).endsWith("1.00 G updates/s"), lines.get(4));
        assertTrue(lines.getLast().endsWith("out/heat/result.zarr"), lines.getLast());
        assertTrue(summary(Phase.NOT_CONVERGED, 2e-3)
                .lines(Style.PLAIN)
                .contains("  certified residual  2.00e-03 > 1.00e-04 (relative)"));
    }

    @Test
    void theSummaryReportsWhatCrashesCost() throws IOException {
        FailureSummary survival = new FailureSummary(
                3,
                4,
                2,
                List.of(Duration.ofMillis(1900), Duration.ofMillis(210), Duration.ofMillis(180)),
                List.of(Duration.ofMillis(640)),
                12_345,
                0.0125,
                0.0005,
                Optional.of(new FailureSummary.Cost(310e6, 120e6, 9.64)));
        Summary summary = summary(Phase.CERTIFIED, 9e-5, survival);
        List<String> lines = summary.lines(Style.PLAIN);
        assertEquals(
                List.of(
                        "  failures            3 injected, 4 processes ended, 2 daemons lost",
                        "  detected after      median 210 ms, longest 1.9 s",
                        "  blocks stood still  median 640 ms, longest 640 ms",
                        "  lost iterations     about 12 345",
                        "  overhead            about 1.3 %: 1.3 % standstill, 0.050 % repeated iterations",
                        "  cost of each        about 9.6 core-seconds: 120 M updates per core-second, undisturbed 310 M"),
                lines.subList(6, 12));
        JsonNode json =
                new ObjectMapper().readTree(JsonText.line(summary.json())).get("survival");
        assertEquals(3, json.get("provoked").asInt());
        assertEquals(12_345, json.get("lost_iterations").asInt());
        assertEquals(0.013, json.get("overhead_estimate").asDouble(), 1e-12);
        assertEquals(9.64, json.get("core_seconds_each").asDouble(), 1e-12);
    }

    @Test
    void aRunWithoutCrashesDoesNotMentionThem() {
        assertTrue(summary(Phase.CERTIFIED, 9e-5).lines(Style.PLAIN).stream()
                .noneMatch(line -> line.contains("failures")));
    }

    @Test
    void jsonEventsCarryTheirFacts() throws IOException {
        JobEvent lost = new JobEvent(
                Duration.ofMillis(900), true, "d2 is declared dead", "daemon-lost", Map.of("blocks", List.of(2, 3)));
        try (Display display = new JsonDisplay(out)) {
            display.update(view(Phase.COMPUTING, 2, 0, List.of(lost)));
        }
        JsonNode json =
                new ObjectMapper().readTree(text.toString().lines().toList().get(1));
        assertEquals("daemon-lost", json.get("event").asText());
        assertEquals(3, json.at("/details/blocks/1").asInt());
    }

    @ParameterizedTest
    @CsvSource({"80, 24", "120, 40", "40, 10", "20, 5", "200, 12"})
    void aFrameFitsItsTerminal(int columns, int rows) {
        List<String> lines = LiveFrame.of(
                view(Phase.COMPUTING, 9, 8, List.of()),
                List.of(LEADER, STALE),
                new TerminalSize(columns, rows),
                Style.PLAIN);
        assertTrue(lines.size() < rows, lines.size() + " lines");
        lines.forEach(line -> assertTrue(line.length() < columns, line));
    }

    @Test
    void aFrameHasALineForEachDaemon() {
        List<String> lines = LiveFrame.of(
                view(Phase.COMPUTING, 3, 2, List.of()), List.of(LEADER), new TerminalSize(100, 30), Style.PLAIN);
        assertTrue(lines.getFirst().startsWith("heat  heat2d, asynchronous"), lines.getFirst());
        assertTrue(lines.getFirst().endsWith("computing  3.0 s"), lines.getFirst());
        assertEquals(
                "d1           0,1          1.25 k      1.00 k    1.5 ms       3.0  2.00e-02    d2 d3", lines.get(2));
        assertTrue(lines.get(3).endsWith("lost"), lines.get(3));
        assertTrue(lines.contains("certified residual 1.00e-02  (snapshot 2, tolerance 1.00e-04)"), lines.toString());
        assertEquals("     0.3 s  spawner s1 leads", lines.getLast());
    }

    @Test
    void moreDaemonsThanLinesAreAddedUp() {
        List<DaemonRow> many = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            many.add(daemon("d" + i, DaemonState.COMPUTING));
        }
        JobView view = new JobView(
                "heat",
                "heat2d",
                "Asynchronous",
                Phase.COMPUTING,
                Duration.ofSeconds(1),
                1e-4,
                many,
                List.of(),
                List.of(),
                List.of(),
                StepProgress.NONE);
        List<String> lines = LiveFrame.of(view, List.of(), new TerminalSize(80, 24), Style.PLAIN);
        // a title, a header, 19 daemons, this line and the residual's
        assertEquals("… and 31 more, 38.8 k iterations/s together", lines.get(lines.size() - 2));
    }

    @Test
    void theCurveFallsFromLeftToRightTowardsTheTolerance() {
        List<String> lines = ResidualChart.of(view(Phase.COMPUTING, 4, 4, List.of()), 60, 7, Style.PLAIN);
        List<Integer> firstDots = lines.stream()
                .skip(1)
                .map(DisplayTest::firstDot)
                .filter(c -> c >= 0)
                .toList();
        assertTrue(firstDots.size() >= 4, lines.toString());
        assertEquals(firstDots.stream().sorted().toList(), firstDots);
        assertEquals(1, lines.stream().filter(l -> l.contains("1.00e-04 ┄")).count());
    }

    @Test
    void theCurveBeginsAtTheLeftEdgeHoweverLongTheStartTook() {
        JobView view = new JobView(
                "heat",
                "heat2d",
                "Asynchronous",
                Phase.COMPUTING,
                Duration.ofSeconds(10),
                1e-4,
                List.of(),
                List.of(
                        new SnapshotPoint(Duration.ofSeconds(9), 1, 1e-1, 40),
                        new SnapshotPoint(Duration.ofSeconds(10), 2, 1e-3, 80)),
                List.of(),
                List.of(),
                StepProgress.NONE);
        List<String> lines = ResidualChart.of(view, 60, 7, Style.PLAIN);
        // the labels take ten columns
        assertEquals(
                10,
                lines.stream()
                        .skip(1)
                        .mapToInt(DisplayTest::firstDot)
                        .filter(c -> c >= 0)
                        .min()
                        .orElseThrow());
    }

    @Test
    void theLiveDisplayRedrawsInPlaceAndGivesTheCursorBack() {
        LiveDisplay display = new LiveDisplay(out, Style.PLAIN, () -> new TerminalSize(80, 24));
        JobView view = view(Phase.COMPUTING, 3, 2, List.of());
        display.update(view);
        int lines = LiveFrame.of(view, List.of(), new TerminalSize(80, 24), Style.PLAIN)
                .size();
        text.getBuffer().setLength(0);
        display.update(view);
        assertTrue(text.toString().startsWith("\u001b[?2026h\u001b[" + lines + "A\r"), text.toString());
        text.getBuffer().setLength(0);
        display.close();
        display.close();
        assertEquals("\u001b[?7h\u001b[?25h", text.toString());
    }

    @Test
    void theLiveDisplayKeepsTheLatestEvents() {
        LiveDisplay display = new LiveDisplay(out, Style.PLAIN, () -> new TerminalSize(80, 24));
        for (int i = 1; i <= 6; i++) {
            JobEvent event = new JobEvent(Duration.ofSeconds(i), false, "event " + i);
            text.getBuffer().setLength(0);
            display.update(view(Phase.COMPUTING, i, 0, List.of(event)));
        }
        assertEquals(
                List.of("event 3", "event 4", "event 5", "event 6"),
                Pattern.compile("event \\d")
                        .matcher(text.toString())
                        .results()
                        .map(MatchResult::group)
                        .toList());
    }

    @Test
    void theTerminalsSizeIsReadAndNonsenseIgnored() {
        assertEquals(new TerminalSize(132, 43), SttySize.parse("43 132", TerminalSize.DEFAULT));
        assertEquals(TerminalSize.DEFAULT, SttySize.parse("0 0", TerminalSize.DEFAULT));
        assertEquals(TerminalSize.DEFAULT, SttySize.parse("stty: not a tty", TerminalSize.DEFAULT));
    }

    private static int firstDot(String line) {
        for (int c = 0; c < line.length(); c++) {
            if (line.charAt(c) > 0x2800 && line.charAt(c) <= 0x28ff) {
                return c;
            }
        }
        return -1;
    }

    /** A job of two daemons after some snapshots, one a second, each ten times smaller than the one before; the last is new. */
    private static JobView view(Phase phase, double seconds, int snapshots, List<JobEvent> events) {
        List<SnapshotPoint> history = new ArrayList<>();
        for (int s = 1; s <= snapshots; s++) {
            history.add(new SnapshotPoint(Duration.ofSeconds(s), s, Math.pow(10, -s), 40L * s));
        }
        return new JobView(
                "heat",
                "heat2d",
                "Asynchronous",
                phase,
                Duration.ofMillis(Math.round(seconds * 1000)),
                1e-4,
                List.of(
                        daemon("d1", DaemonState.COMPUTING),
                        daemon("d2", DaemonState.LOST),
                        daemon("d3", DaemonState.DONE)),
                history,
                history.subList(Math.max(0, snapshots - 1), snapshots),
                events,
                StepProgress.NONE);
    }

    private static DaemonRow daemon(String name, DaemonState state) {
        return new DaemonRow(
                name, List.of(0, 1), 1250, 1000, Duration.ofNanos(1_500_000), 3, 2e-2, List.of("d2", "d3"), state);
    }

    private static Summary summary(Phase phase, double residual) {
        return summary(phase, residual, FailureSummary.NONE);
    }

    private static Summary summary(Phase phase, double residual, FailureSummary survival) {
        return new Summary(
                "heat",
                phase,
                phase == Phase.FAILED ? Optional.of("block 3 found NaN; lower tau") : Optional.empty(),
                residual,
                1e-4,
                4096,
                Optional.of("PointJacobi"),
                3000,
                2e9,
                Duration.ofSeconds(2),
                Duration.ofSeconds(4),
                8,
                survival,
                Map.of("result", "out/heat/result.zarr"));
    }
}

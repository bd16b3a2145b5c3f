// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.bench.peers.PeerOptions.Topic;
import dev.volary.bench.peers.Section.Goal;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the comparison with peers reads and writes, without a peer. */
class PeerBenchmarkTest {
    private static final String LINE =
            "{\"converged\":true,\"iterations\":7,\"residual\":9.3e-09,\"setup_s\":0.5,\"solve_s\":0.25}";

    @Test
    void aResultIsTheLastLineOfJsonAmongWhatAProgramPrints() throws IOException {
        PeerResult result = PeerResult.parse("a warning of MPI\n" + LINE + "\n", 2);
        assertEquals(new PeerResult(7, 9.3e-9, 0.5, 0.25, 2), result);
    }

    @Test
    void aProgramThatDidNotConvergeHasNoResult() {
        IOException failure = assertThrows(IOException.class, () -> PeerResult.parse(LINE.replace("true", "false"), 2));
        assertTrue(String.valueOf(failure.getMessage()).contains("did not converge"));
        assertThrows(IOException.class, () -> PeerResult.parse("Segmentation fault", 2));
    }

    @Test
    void aProgramThatFailsIsNamedWithItsReasonAndTheOthersHaveMedians() throws InterruptedException {
        int[] run = {0};
        Contest contest = Contest.hold(
                "trial",
                3,
                List.of(
                        new Contest.Contender("steady", () -> new PeerResult(1, 1e-9, 0, ++run[0], 9)),
                        new Contest.Contender("broken", () -> {
                            throw new IOException("no memory\nand a trace");
                        })));
        assertEquals(List.of("steady"), contest.names());
        assertEquals(2, contest.median("steady", PeerResult::solveSeconds));
        assertEquals("no memory", contest.failures().get("broken"));
    }

    @Test
    void sizesThatNotAllPeersCanCoarsenAreRefused() {
        PeerOptions options = PeerOptions.parse(List.of("--sizes", "63,127", "--only", "poisson,kills"));
        assertEquals(List.of(63, 127), options.sizes());
        assertEquals(Set.of(Topic.POISSON, Topic.KILLS), options.topics());
        assertThrows(IllegalArgumentException.class, () -> PeerOptions.parse(List.of("--sizes", "100")));
        assertThrows(IllegalArgumentException.class, () -> PeerOptions.parse(List.of("--only", "poison")));
        assertThrows(IllegalArgumentException.class, () -> PeerOptions.parse(List.of("--rounds")));
    }

    @Test
    void aGoalIsJudgedUnlessTheMachineWasBusy() {
        Section section = new Section("A").goal("Volary / C", 1.234, Goal.atMost(1.15));
        String sentence = "Volary / C: **1.23**. The goal is at most 1.15.";
        assertEquals(sentence + " Missed.", section.lines(true).getLast());
        assertEquals(sentence, section.lines(false).getLast());
        int lines = section.lines(true).size();
        section.goal("Volary / absent", Double.NaN, Goal.atMost(1));
        assertEquals(lines, section.lines(true).size());
    }

    @Test
    void numbersHaveThreeDigits() {
        assertEquals("0.00123", Section.number(0.0012345));
        assertEquals("0.120", Section.number(0.12));
        assertEquals("12.3", Section.number(12.34));
        assertEquals("1234", Section.number(1234.4));
        assertEquals("–", Section.number(Double.NaN));
    }

    @Test
    void aKernelIsLimitedByTheBandwidthBelowTheRidgeAndByTheArithmeticAbove() {
        Roofline roof = new Roofline(2, 16, 50);
        assertEquals(1000, roof.attainableRate(new Roofline.Work(16, 4)), 1e-9);
        assertEquals(100, roof.attainableRate(new Roofline.Work(16, 1000)), 1e-9);
    }

    private static final List<List<String>> FACTS = List.of(List.of("cores", "2"));

    @Test
    void thePageNamesMachineCommandAndMissingPeers() {
        PerformancePage page =
                new PerformancePage(FACTS, List.of("PETSc: absent (Debian: apt-get install petsc-dev)"), List.of());
        Section section = new Section("Topic").picture("performance-topic.svg", "Times", List.of("<svg/>"));
        page.put(section, "bench/run peers --rounds 1", 1, 1.5);
        List<String> lines = page.lines();
        assertTrue(
                lines.contains(
                        "`bench/run peers --rounds 1`: 1 run of each program, in turn. Other programs used 1.50 cores before."),
                () -> String.join("\n", lines));
        assertTrue(lines.contains("| cores | 2 |"));
        assertTrue(lines.contains("- PETSc: absent (Debian: apt-get install petsc-dev)"));
        assertTrue(lines.contains("![Times](../images/performance-topic.svg)"));
        assertFalse(lines.contains("<svg/>"));
        assertTrue(lines.stream().anyMatch(line -> line.contains("no goal is judged")));
    }

    @Test
    void theCommandOfAPageDoesNotNameItsFile() {
        assertEquals(
                "bench/run peers --only kills --rounds 1",
                PeerOptions.command(List.of("--only", "kills", "--page", "a.md", "--rounds", "1")));
    }

    @Test
    void aRunReplacesTheSectionsThatItMeasuresAndKeepsTheOthers() {
        PerformancePage first = new PerformancePage(FACTS, List.of(), List.of());
        first.put(new Section("A").text("old a"), "first", 3, 0);
        first.put(new Section("B").text("old b"), "first", 3, 0);
        PerformancePage second = new PerformancePage(FACTS, List.of(), first.lines());
        assertEquals(first.lines(), second.lines());
        second.put(new Section("A").text("new a"), "second", 1, 0);
        List<String> lines = second.lines();
        assertFalse(lines.contains("old a"));
        assertTrue(lines.indexOf("new a") < lines.indexOf("old b"));
        assertEquals(
                List.of("`second`: 1 run of each program, in turn. Other programs used 0 cores before."),
                lines.stream().filter(line -> line.contains("second")).toList());
        assertEquals(1, lines.stream().filter("## A"::equals).count());
    }

    @Test
    void sectionsOfAnotherMachineAreLeftOut() {
        PerformancePage first = new PerformancePage(FACTS, List.of(), List.of());
        first.put(new Section("A").text("old a"), "first", 3, 0);
        PerformancePage second = new PerformancePage(List.of(List.of("cores", "64")), List.of(), first.lines());
        assertFalse(second.lines().contains("## A"));
    }
}

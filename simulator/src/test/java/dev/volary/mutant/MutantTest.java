// SPDX-License-Identifier: Apache-2.0
package dev.volary.mutant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.mutant.Mutant.Edit;
import dev.volary.simulator.JobRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class MutantTest {
    private static final String FILE = "protocol/halo/StepRelation";
    private static final String LINE = "if (halo == own) {";

    private static String failure(Edit... edits) {
        Mutant mutant = new Mutant(List.of(edits));
        return String.valueOf(assertThrows(AssertionError.class, () -> mutant.load(JobRun.class))
                .getMessage());
    }

    @Test
    void aMutantHasClassesOfItsOwn() {
        SimulatedRun run = new Mutant(List.of(new Edit(FILE, LINE, "if (true) {"))).load(JobRun.class);
        assertEquals(JobRun.class.getName(), run.getClass().getName());
        assertNotEquals(JobRun.class, run.getClass());
    }

    @Test
    void aChangeWithoutEffectGivesTheSameRun() {
        SimulatedRun run = new Mutant(List.of(new Edit(FILE, LINE, "if (own == halo) {"))).load(JobRun.class);
        assertEquals(new JobRun().run("steps", 1), run.run("steps", 1));
    }

    @Test
    void aLineThatIsNotInTheFileIsNamed() {
        String failure = failure(new Edit(FILE, "if (halo == other) {", ""));
        assertTrue(failure.contains("StepRelation.java") && failure.contains("if (halo == other) {"), failure);
    }

    @Test
    void aLineThatOccursTwiceIsRefused() {
        String failure = failure(new Edit(FILE, "}", ""));
        assertTrue(failure.contains("once"), failure);
    }

    @Test
    void aMutantThatDoesNotCompileFailsWithTheMessageOfTheCompiler() {
        String failure = failure(new Edit(FILE, LINE, "if (halo == other) {"));
        assertTrue(failure.contains("StepRelation.java") && failure.contains("cannot find symbol"), failure);
    }
}

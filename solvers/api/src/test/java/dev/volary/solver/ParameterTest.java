// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ParameterTest {
    private enum Color {
        Red,
        Green
    }

    private static final Parameter<Integer> N = Parameter.integer("points", "Points for each edge.", 64, 2, 1000);
    private static final Parameter<Double> GAMMA = Parameter.real("gamma", "Step length.", 0.5, 0, 1);
    private static final Parameter<Boolean> EXACT = Parameter.flag("exact", "Whether to be exact.", false);
    private static final Parameter<Color> COLOR = Parameter.choice("color", "What it looks like.", Color.Red);
    private static final Parameter<String> NOTE = Parameter.text("note", "Anything.");
    private static final Parameter<String> MATRIX = Parameter.file("matrix", "The matrix.");
    private static final Parameter<String> RHS = Parameter.optionalFile("rhs", "The right-hand side.");
    private static final List<Parameter<?>> OPTIONAL = List.of(N, GAMMA, EXACT, COLOR, NOTE, RHS);

    @Test
    void aNameThatYamlTakesForABooleanIsRefused() {
        for (String name : List.of("n", "y", "No", "off")) {
            assertThrows(IllegalArgumentException.class, () -> Parameter.flag(name, "No name.", true), name);
        }
    }

    @Test
    void aMissingParameterHasItsDefault() throws InvalidProblemException {
        ParameterValues values = ParameterValues.of(OPTIONAL, Map.of());
        assertEquals(64, values.get(N));
        assertEquals(0.5, values.get(GAMMA));
        assertEquals(false, values.get(EXACT));
        assertEquals(Color.Red, values.get(COLOR));
        assertTrue(values.find(NOTE).isEmpty());
        assertTrue(values.find(RHS).isEmpty());
    }

    @Test
    void aParameterIsGivenAlsoIfItHasItsDefault() throws InvalidProblemException {
        ParameterValues values = ParameterValues.of(OPTIONAL, Map.of("points", 64));
        assertTrue(values.isGiven(N));
        assertFalse(values.isGiven(GAMMA));
    }

    @Test
    void aGivenParameterIsRead() throws InvalidProblemException {
        ParameterValues values = ParameterValues.of(
                OPTIONAL, Map.of("points", 31L, "gamma", "2.5e-1", "exact", true, "color", "Green", "rhs", "in:b.mtx"));
        assertEquals(31, values.get(N));
        assertEquals(0.25, values.get(GAMMA));
        assertEquals(true, values.get(EXACT));
        assertEquals(Color.Green, values.get(COLOR));
        assertEquals("in:b.mtx", values.find(RHS).orElseThrow());
    }

    @Test
    void aNumberOutOfRangeIsRefusedWithTheRange() {
        refused("points is 1; must be a whole number from 2 to 1000", Map.of("points", 1));
        refused("gamma is 1.5; must be a number from 0.0 to 1.0", Map.of("gamma", 1.5));
    }

    @Test
    void aNumberThatDoesNotFitAnIntIsRefused() {
        refused("points is 4294967298; must be a whole number from 2 to 1000", Map.of("points", 4_294_967_298L));
    }

    @Test
    void aValueOfTheWrongTypeIsRefused() {
        refused("points is 7.5; must be a whole number from 2 to 1000", Map.of("points", 7.5));
        refused("points is 64; must be a whole number from 2 to 1000", Map.of("points", "64"));
        refused("exact is yes; must be true or false", Map.of("exact", "yes"));
        refused("gamma is small; must be a number from 0.0 to 1.0", Map.of("gamma", "small"));
        refused("gamma is NaN; must be a number from 0.0 to 1.0", Map.of("gamma", Double.NaN));
        refused("note is  ; must be a string", Map.of("note", " "));
    }

    @Test
    void aChoiceIsMatchedExactlyAndItsErrorListsTheConstants() {
        refused("color is green; must be one of Red, Green", Map.of("color", "green"));
    }

    @Test
    void anUnknownParameterIsRefusedWithTheKnownOnes() {
        refused(
                "size is 3, but this problem has no such parameter; use one of points, gamma, exact, color, note, rhs",
                Map.of("size", 3));
    }

    @Test
    void aProblemWithoutParametersSaysThatItHasNone() {
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> ParameterValues.of(List.of(), Map.of("size", 3)));
        assertEquals(
                "size is 3, but this problem has no such parameter; remove it; there are none", refused.getMessage());
    }

    @Test
    void aMissingFileIsRefused() {
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> ParameterValues.of(List.of(MATRIX), Map.of()));
        assertEquals("matrix is missing; give a file, as NAME:FILE", refused.getMessage());
        assertEquals("matrix", refused.subject());
    }

    @Test
    void readingAParameterThatWasNotDeclaredIsABugOfTheSolver() throws InvalidProblemException {
        ParameterValues values = ParameterValues.of(List.of(), Map.of());
        assertThrows(IllegalArgumentException.class, () -> values.get(N));
    }

    private static void refused(String message, Map<String, Object> given) {
        InvalidProblemException refused =
                assertThrows(InvalidProblemException.class, () -> ParameterValues.of(OPTIONAL, given));
        assertEquals(message, refused.getMessage());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Problem;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What every solver must do. A solver author extends this class, gives the problem and parameters that make it small (some
 * hundred to some thousand unknowns), and gets all tests:
 *
 * <pre>{@code
 * final class MySolverTest extends SolverContract {
 *     @Override
 *     protected Problem problem() {
 *         return new MyProblem();
 *     }
 * }
 * }</pre>
 */
public abstract class SolverContract {
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    /** The problem under test. */
    protected abstract Problem problem();

    /** Parameters as a manifest gives them; by default none, so that all defaults apply. */
    protected Map<String, Object> parameters() {
        return Map.of();
    }

    /** Where the problem finds its files; by default there are none. */
    protected Inputs inputs() {
        return Inputs.none();
    }

    /** In how many blocks the problem is tried. */
    protected List<Integer> blockCounts() {
        return List.of(1, 2, 5);
    }

    /** The relative residual that hostile schedules must reach. */
    protected double tolerance() {
        return 1e-4;
    }

    /** Iterations of all blocks together that a hostile schedule may take. */
    protected long maxIterations() {
        return 200_000;
    }

    /** Seeds of the hostile schedules. */
    protected List<Long> seeds() {
        return List.of(1L, 2L, 3L);
    }

    /** A check of one model in a number of blocks. */
    @FunctionalInterface
    private interface Check {
        void of(Model model, int blocks) throws InvalidProblemException;
    }

    private ProblemUnderTest trial() {
        return new ProblemUnderTest(problem(), parameters(), inputs());
    }

    private Stream<DynamicTest> forEachBlockCount(Check check) {
        return blockCounts().stream()
                .map(blocks -> DynamicTest.dynamicTest(blocks + " blocks", () -> check.of(trial().open(), blocks)));
    }

    @Test
    void problemDescribesItself() {
        assertTrue(
                problem().name().matches("[a-z][a-z0-9-]*"),
                () -> "the name '" + problem().name() + "' must be lower case letters, digits and dashes");
        assertTrue(!problem().summary().isBlank(), "the summary is blank");
        HashSet<String> names = new HashSet<>();
        problem().parameters().forEach(parameter -> {
            assertTrue(names.add(parameter.name()), () -> "parameter " + parameter.name() + " is declared twice");
            assertTrue(
                    !parameter.documentation().isBlank(),
                    () -> "parameter " + parameter.name() + " has no documentation");
        });
    }

    @Test
    void scaleAndFloorMakeToleranceMeaningful() throws InvalidProblemException {
        Model model = trial().open();
        assertTrue(
                model.scale() > 0 && Double.isFinite(model.scale()),
                () -> "scale is " + model.scale() + ", must be positive and finite");
        assertTrue(
                model.attainableFloor() >= 0 && model.attainableFloor() < tolerance(),
                () -> "attainableFloor is " + model.attainableFloor() + ", must lie between 0 and the tolerance "
                        + tolerance());
    }

    @TestFactory
    Stream<DynamicTest> decompositionCoversEveryUnknownOnce() {
        return forEachBlockCount(DecompositionChecks::coversEveryUnknownOnce);
    }

    @TestFactory
    Stream<DynamicTest> edgesCarryWhatTheirSourceOwns() {
        return forEachBlockCount(DecompositionChecks::edgesCarryWhatTheirSourceOwns);
    }

    @TestFactory
    Stream<DynamicTest> decompositionIsDeterministic() {
        return forEachBlockCount((model, blocks) -> DecompositionChecks.isDeterministic(trial(), blocks));
    }

    @TestFactory
    Stream<DynamicTest> partsStateTheirCost() {
        return forEachBlockCount(DecompositionChecks::partsStateTheirCost);
    }

    @TestFactory
    Stream<DynamicTest> initialHalosAreFinite() {
        return forEachBlockCount(StateChecks::initialHalosAreFinite);
    }

    @TestFactory
    Stream<DynamicTest> copyCoreReturnsWhatSetCoreWasGiven() {
        return forEachBlockCount(StateChecks::coreRoundTrip);
    }

    @TestFactory
    Stream<DynamicTest> haloArraysAreOnlyBorrowed() {
        return forEachBlockCount(StateChecks::haloArraysAreOnlyBorrowed);
    }

    @TestFactory
    Stream<DynamicTest> restoredBlockGoesOnBitwise() {
        return forEachBlockCount(StateChecks::restoredBlockGoesOnBitwise);
    }

    @TestFactory
    Stream<DynamicTest> residualDependsOnItsArgumentsOnly() {
        return forEachBlockCount(ResidualChecks::dependsOnItsArgumentsOnly);
    }

    @TestFactory
    Stream<DynamicTest> residualLeavesTheIterateAlone() {
        return forEachBlockCount(ResidualChecks::leavesTheIterateAlone);
    }

    @TestFactory
    Stream<DynamicTest> residualMayRunBesideIterate() {
        return forEachBlockCount(ResidualChecks::mayRunBesideIterate);
    }

    @TestFactory
    Stream<DynamicTest> residualOfTheBlocksIsThatOfTheWhole() {
        return forEachBlockCount(ResidualChecks::isThatOfTheWholeProblem);
    }

    @TestFactory
    Stream<DynamicTest> hintIsFiniteAndFallsWithTheResidual() {
        return forEachBlockCount((model, blocks) ->
                IterationChecks.hintFallsWithTheResidual(model, blocks, tolerance(), maxIterations()));
    }

    @TestFactory
    Stream<DynamicTest> writeHaloAgreesWithCopyCore() {
        return forEachBlockCount(IterationChecks::writesTheHalosItsCoreHolds);
    }

    @TestFactory
    Stream<DynamicTest> boundaryPublishesFinalValues() {
        return forEachBlockCount(IterationChecks::publishesFinalValuesBeforeTheInterior);
    }

    @TestFactory
    Stream<DynamicTest> slicesAreIndependent() {
        return forEachBlockCount(IterationChecks::slicesAreIndependent);
    }

    @TestFactory
    Stream<DynamicTest> threadsDoNotChangeTheResult() {
        return forEachBlockCount(IterationChecks::threadsDoNotChangeTheResult);
    }

    @TestFactory
    Stream<DynamicTest> iterateDoesNotAllocateOnceWarm() {
        return forEachBlockCount((model, blocks) -> IterationChecks.doesNotAllocateOnceWarm(model, blocks, WARM_UP));
    }

    @TestFactory
    Stream<DynamicTest> modelAndBlocksAgreeOnMarchingInTime() {
        return forEachBlockCount(StepChecks::modelAndBlocksAgreeOnMarching);
    }

    @TestFactory
    Stream<DynamicTest> commitForgetsWhatWasIterated() {
        return forEachBlockCount(StepChecks::commitForgetsWhatWasIterated);
    }

    @TestFactory
    Stream<DynamicTest> commitBorrowsItsArrays() {
        return forEachBlockCount(StepChecks::commitBorrowsItsArrays);
    }

    @TestFactory
    Stream<DynamicTest> savedStepIsRestored() {
        return forEachBlockCount(StepChecks::savedStepIsRestored);
    }

    @TestFactory
    Stream<DynamicTest> stepsAreThoseOfTheWholeProblem() {
        return forEachBlockCount((model, blocks) -> StepChecks.stepsAreThoseOfTheWholeProblem(
                model, blocks, tolerance(), Math.toIntExact(maxIterations())));
    }

    @TestFactory
    Stream<DynamicTest> hostileSchedulesConverge() {
        return blockCounts().stream()
                .flatMap(blocks -> seeds().stream()
                        .map(seed -> DynamicTest.dynamicTest(
                                blocks + " blocks, seed " + seed,
                                () -> AdversarialSchedule.run(
                                        trial().open(), blocks, seed, tolerance(), maxIterations()))));
    }
}

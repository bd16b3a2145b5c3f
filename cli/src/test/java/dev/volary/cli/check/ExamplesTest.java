// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.volary.job.manifest.ManifestException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests that users start from. */
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "heat",
                "heat-small",
                "heat-implicit",
                "obstacle",
                "airfoil",
                "poisson",
                "pagerank",
                "convection",
                "diurnal"
            })
    void anExampleIsSoundAndNeedsNoNotice(String name) throws ManifestException {
        ValidatedJob checked = JobPreflight.check(EXAMPLES.resolve(name + ".yaml"), ProblemCatalogue.load());
        assertEquals(name, checked.name());
        assertEquals(List.of(), checked.notices());
    }

    @Test
    void theRecirculatingFlowInRoundsIsAcceptedWithANotice() throws ManifestException {
        ValidatedJob checked = JobPreflight.check(EXAMPLES.resolve("recirc-flow.yaml"), ProblemCatalogue.load());
        assertEquals("Schwarz, overlap 2, vectors 6", checked.method().orElseThrow());
        assertEquals(1, checked.notices().size());
        assertTrue(checked.notices().getFirst().contains("no asynchronous guarantee"));
    }

    /** ρ(|D⁻¹(L+U)|) = 1.677153 (examples/data/README.md). */
    @Test
    void theRecirculatingFlowIsRefusedWithTheNumberAndTheRemedy() {
        String message = assertThrows(
                        ManifestException.class,
                        () -> JobPreflight.check(EXAMPLES.resolve("recirc-flow-refused.yaml"), ProblemCatalogue.load()))
                .errors()
                .getFirst()
                .message();
        assertEquals(
                "spec.problem fails the pre-flight check: ρ(|T|) is 1.67715, above 1: some asynchronous schedules diverge;"
                        + " use method: Direct with blocks: 1, which is certified, or use"
                        + " scheme: Synchronous, or set spec.convergence.acceptRisk: true to try it nevertheless",
                message);
    }
}

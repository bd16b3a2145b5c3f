// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import dev.volary.solver.Inputs;
import dev.volary.solver.Problem;
import dev.volary.solver.testkit.SolverContract;
import dev.volary.solvers.field.ArrayFiles;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

final class ConvectionContractTest {

    abstract static class Convection extends SolverContract {
        private final Map<String, Object> parameters;

        Convection(Map<String, Object> parameters) {
            this.parameters = parameters;
        }

        @Override
        protected Problem problem() {
            return new ConvectionProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return parameters;
        }
    }

    @Nested
    final class VortexOnASquare extends Convection {
        VortexOnASquare() {
            super(Map.of("points", 13, "flow", "Vortex", "diffusion", 0.02, "f", "Sines", "method", "PointJacobi"));
        }
    }

    @Nested
    final class DiagonalInACube extends Convection {
        DiagonalInACube() {
            super(Map.of("axes", 3, "points", 8, "diffusion", 0.02, "method", "PointJacobi"));
        }
    }

    /** Round blocks under a runtime that knows no rounds: they receive no maps. */
    @Nested
    final class VortexInACubeWithoutRounds extends Convection {
        VortexInACubeWithoutRounds() {
            super(Map.of("axes", 3, "points", 12, "flow", "Vortex", "method", "Multigrid", "levels", 2));
        }

        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 4);
        }
    }

    /** Coefficients and right-hand side at random on 12 × 12 points; the diffusion jumps. */
    abstract static class FromFiles extends Convection {
        @TempDir
        private Path folder = Path.of("");

        FromFiles(String method) {
            super(Map.of("points", 12, "diffusionFile", "in:e", "flowFile", "in:v", "fFile", "in:f", "method", method));
        }

        @Override
        protected Inputs inputs() {
            return reference -> switch (reference) {
                case "in:e" ->
                    ArrayFiles.write(
                            folder.resolve("e.npy"),
                            Arrays.stream(ArrayFiles.random(1, 144, 0, 1))
                                    .map(x -> x < 0.5 ? 0.25 : 2)
                                    .toArray(),
                            12,
                            12);
                case "in:v" -> ArrayFiles.write(folder.resolve("v.npy"), ArrayFiles.random(2, 288, -2, 2), 2, 12, 12);
                default -> ArrayFiles.write(folder.resolve("f.npy"), ArrayFiles.random(3, 144, -1, 2), 12, 12);
            };
        }
    }

    @Nested
    final class RelaxationOfFiles extends FromFiles {
        RelaxationOfFiles() {
            super("PointJacobi");
        }
    }

    @Nested
    final class MultigridOfFilesWithoutRounds extends FromFiles {
        MultigridOfFilesWithoutRounds() {
            super("Multigrid");
        }

        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 4);
        }
    }
}

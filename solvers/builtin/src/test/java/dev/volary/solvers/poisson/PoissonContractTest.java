// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

import dev.volary.solver.Inputs;
import dev.volary.solver.Problem;
import dev.volary.solver.testkit.SolverContract;
import dev.volary.solvers.field.ArrayFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

final class PoissonContractTest {

    @Nested
    final class Relaxation extends SolverContract {
        @Override
        protected Problem problem() {
            return new PoissonProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 9, "method", "Relaxation");
        }
    }

    @Nested
    final class VaryingSource extends SolverContract {
        @Override
        protected Problem problem() {
            return new PoissonProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 8, "f", "Polynomial", "sweeps", 2);
        }

        /** 27 blocks are cut on all three axes. */
        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 4, 27);
        }
    }

    /** Round blocks under a runtime that knows no rounds: they receive no maps. */
    @Nested
    final class MultigridWithoutRounds extends SolverContract {
        @Override
        protected Problem problem() {
            return new PoissonProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 9, "method", "Multigrid");
        }
    }

    @Nested
    final class TwoLevelsWithoutRounds extends SolverContract {
        @Override
        protected Problem problem() {
            return new PoissonProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return Map.of("points", 12, "f", "Sines", "method", "Multigrid", "levels", 2);
        }

        @Override
        protected List<Integer> blockCounts() {
            return List.of(1, 4, 8);
        }
    }

    abstract static class FromAFile extends SolverContract {
        @TempDir
        private Path folder = Path.of("");

        private final Map<String, Object> parameters;

        FromAFile(Map<String, Object> parameters) {
            this.parameters = parameters;
        }

        @Override
        protected Problem problem() {
            return new PoissonProblem();
        }

        @Override
        protected Map<String, Object> parameters() {
            return parameters;
        }

        @Override
        protected Inputs inputs() {
            return reference -> ArrayFiles.write(folder.resolve("f.npy"), ArrayFiles.random(2, 729, -1, 2), 9, 9, 9);
        }
    }

    @Nested
    final class RelaxationOfAFile extends FromAFile {
        RelaxationOfAFile() {
            super(Map.of("points", 9, "fFile", "in:f.npy", "method", "Relaxation"));
        }
    }

    @Nested
    final class MultigridOfAFileWithoutRounds extends FromAFile {
        MultigridOfAFileWithoutRounds() {
            super(Map.of("points", 9, "fFile", "in:f.npy", "method", "Multigrid"));
        }
    }
}

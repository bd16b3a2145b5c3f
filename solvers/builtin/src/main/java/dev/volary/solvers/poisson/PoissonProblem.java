// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.poisson;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solvers.field.GridField;
import dev.volary.solvers.kernel.GridBlockFactory;
import dev.volary.solvers.multigrid.MethodChoice;
import java.util.List;
import java.util.Optional;

/** {@code poisson3d}: −Δu = f on the unit cube, u = 0 on its boundary. */
public final class PoissonProblem implements Problem {
    private static final Parameter<Integer> N = Parameter.integer(
            "points", "Number n of interior points along each edge; the unknowns are n × n × n.", 31, 2, 2048);
    private static final Parameter<PoissonSource> F = Parameter.choice(
            "f",
            "Right-hand side: 1 (One), a product of sines (Sines), or that of a polynomial solution (Polynomial).",
            PoissonSource.One);
    private static final Parameter<String> F_FILE = GridField.parameter(
            F, "Right-hand side at each point, an array of n × n × n numbers with the axes z, y, x");
    private static final Parameter<PoissonMethod> METHOD = Parameter.choice(
            "method",
            "How a block improves its values; Auto: Multigrid, or Relaxation where Multigrid cannot be used or a parameter of"
                    + " Relaxation is set.",
            PoissonMethod.Auto);
    private static final Parameter<Integer> SWEEPS = GridBlockFactory.sweeps(PoissonMethod.Relaxation);
    private static final MethodChoice<PoissonMethod> CHOICE =
            new MethodChoice<>(METHOD, PoissonMethod.Multigrid, PoissonMethod.Relaxation, List.of(SWEEPS));

    @Override
    public String name() {
        return "poisson3d";
    }

    @Override
    public String summary() {
        return "Poisson's equation on the unit cube, seven-point differences.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(N, F, F_FILE, METHOD, MethodChoice.LEVELS, SWEEPS);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        int n = values.get(N);
        Optional<GridField> field = GridField.find(values, F, F_FILE, inputs, List.of(n, n, n));
        PoissonEquation equation = new PoissonEquation(n, values.get(F), field.orElse(null));
        return CHOICE.open(
                values,
                equation.unknowns(),
                () -> new PoissonRelaxationModel(equation, values.get(SWEEPS)),
                new PoissonMultigrid(equation)::model);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solvers.multigrid.MethodChoice;
import java.util.List;
import java.util.Locale;

/** {@code convection-diffusion}: −ε Δu + v·∇u = f on the unit square or cube, u = 0 on its boundary. */
public final class ConvectionProblem implements Problem {
    private static final Parameter<Integer> AXES =
            Parameter.integer("axes", "2 for the unit square, 3 for the unit cube.", 2, 2, 3);
    private static final Parameter<Integer> POINTS =
            Parameter.integer("points", "Number of interior points along each axis.", 63, 2, 4096);
    private static final Parameter<Double> DIFFUSION =
            Parameter.real("diffusion", "The diffusion ε; no component of the flow is larger than 1.", 0.1, 1e-9, 1e3);
    private static final Parameter<ConvectionFlow> FLOW = Parameter.choice(
            "flow",
            "The velocity: 1 along every axis (Diagonal), or a closed flow round the middle (Vortex).",
            ConvectionFlow.Diagonal);
    private static final Parameter<ConvectionSource> F = Parameter.choice(
            "f",
            "Right-hand side: 1 (One), or that of a solution that is a product of sines (Sines).",
            ConvectionSource.One);
    private static final Parameter<ConvectionMethod> METHOD = Parameter.choice(
            "method",
            "How a block improves its values; Auto: Multigrid, or PointJacobi where Multigrid cannot be used.",
            ConvectionMethod.Auto);
    private static final MethodChoice<ConvectionMethod> CHOICE =
            new MethodChoice<>(METHOD, ConvectionMethod.Multigrid, ConvectionMethod.PointJacobi, List.of());

    @Override
    public String name() {
        return "convection-diffusion";
    }

    @Override
    public String summary() {
        return "Convection and diffusion on the unit square or cube, first-order upwind differences.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(AXES, POINTS, DIFFUSION, FLOW, F, METHOD, MethodChoice.LEVELS);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        ConvectionEquation equation = new ConvectionEquation(
                values.get(AXES), values.get(POINTS), values.get(DIFFUSION), values.get(FLOW), values.get(F));
        if (equation.diffusion() < equation.leastDiffusionOfMultigrid() && usesMultigrid(values)) {
            return withoutMultigrid(values, equation);
        }
        return CHOICE.open(
                values,
                equation.unknowns(),
                () -> new ConvectionRelaxationModel(equation, ""),
                new ConvectionMultigrid(equation)::model);
    }

    private static boolean usesMultigrid(ParameterValues values) {
        return values.get(METHOD) != ConvectionMethod.PointJacobi;
    }

    private static Model withoutMultigrid(ParameterValues values, ConvectionEquation equation)
            throws InvalidProblemException {
        String least = String.format(Locale.ROOT, "%.3g", equation.leastDiffusionOfMultigrid());
        if (values.get(METHOD) == ConvectionMethod.Multigrid || values.get(MethodChoice.LEVELS) != 0) {
            throw new InvalidProblemException(
                    DIFFUSION.name(),
                    "is " + equation.diffusion() + ", but Multigrid needs " + least + " or more with "
                            + values.get(POINTS) + " points",
                    "use more points, or method PointJacobi");
        }
        return new ConvectionRelaxationModel(equation, " (Multigrid needs a diffusion of " + least + " or more)");
    }
}

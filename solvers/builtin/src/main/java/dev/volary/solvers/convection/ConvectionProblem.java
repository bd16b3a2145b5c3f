// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.convection;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solvers.field.GridField;
import dev.volary.solvers.multigrid.MethodChoice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code convection-diffusion}: −∇·(ε∇u) + v·∇u = f on the unit square or cube, u = 0 on its boundary. */
public final class ConvectionProblem implements Problem {
    private static final Parameter<Integer> AXES =
            Parameter.integer("axes", "2 for the unit square, 3 for the unit cube.", 2, 2, 3);
    private static final Parameter<Integer> POINTS =
            Parameter.integer("points", "Number of interior points along each axis.", 63, 2, 4096);
    private static final Parameter<Double> DIFFUSION =
            Parameter.real("diffusion", "The diffusion ε; no component of the flow is larger than 1.", 0.1, 1e-9, 1e3);
    private static final Parameter<String> DIFFUSION_FILE = GridField.parameter(
            DIFFUSION, "The diffusion ε at each point, an array of positive numbers with the axes z, y, x or y, x");
    private static final Parameter<ConvectionFlow> FLOW = Parameter.choice(
            "flow",
            "The velocity: 1 along every axis (Diagonal), or a closed flow round the middle (Vortex).",
            ConvectionFlow.Diagonal);
    private static final Parameter<String> FLOW_FILE = GridField.parameter(
            FLOW,
            "The velocity at each point, an array with a first axis for its components, in the order of the others: z, y, x"
                    + " or y, x");
    private static final Parameter<ConvectionSource> F = Parameter.choice(
            "f",
            "Right-hand side: 1 (One), or that of a solution that is a product of sines (Sines).",
            ConvectionSource.One);
    private static final Parameter<String> F_FILE =
            GridField.parameter(F, "Right-hand side at each point, an array with the axes z, y, x or y, x");
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
        return List.of(
                AXES, POINTS, DIFFUSION, DIFFUSION_FILE, FLOW, FLOW_FILE, F, F_FILE, METHOD, MethodChoice.LEVELS);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        int axes = values.get(AXES);
        int n = values.get(POINTS);
        List<Integer> points = Collections.nCopies(axes, n);
        List<Integer> vectors = new ArrayList<>(points);
        vectors.addFirst(axes);
        ConvectionCoefficients coefficients = new ConvectionCoefficients(
                axes,
                n,
                values.get(DIFFUSION),
                values.get(FLOW),
                GridField.find(values, DIFFUSION, DIFFUSION_FILE, inputs, points)
                        .orElse(null),
                GridField.find(values, FLOW, FLOW_FILE, inputs, vectors).orElse(null));
        ConvectionEquation equation = new ConvectionEquation(
                coefficients,
                values.get(F),
                GridField.find(values, F, F_FILE, inputs, points).orElse(null));
        if (values.get(METHOD) != ConvectionMethod.PointJacobi) {
            Optional<Objection> objection =
                    coefficients.areFromFiles() ? toFiles(values, coefficients) : toRules(values, equation);
            if (objection.isPresent()) {
                return withoutMultigrid(values, equation, objection.get());
            }
        }
        return CHOICE.open(
                values,
                equation.unknowns(),
                () -> new ConvectionRelaxationModel(equation, ""),
                new ConvectionMultigrid(equation)::model);
    }

    /**
     * Why multigrid cannot be used.
     *
     * @param refused what a job hears that asks for it
     * @param reason what a job shows that leaves the method open
     */
    private record Objection(InvalidProblemException refused, String reason) {}

    private static Optional<Objection> toRules(ParameterValues values, ConvectionEquation equation) {
        if (values.get(DIFFUSION) >= equation.leastDiffusionOfMultigrid()) {
            return Optional.empty();
        }
        String least = String.format(Locale.ROOT, "%.3g", equation.leastDiffusionOfMultigrid());
        return Optional.of(new Objection(
                new InvalidProblemException(
                        DIFFUSION.name(),
                        "is " + values.get(DIFFUSION) + ", but Multigrid needs " + least + " or more with "
                                + values.get(POINTS) + " points",
                        "use more points, or method PointJacobi"),
                "Multigrid needs a diffusion of " + least + " or more"));
    }

    /** Reads all coefficients, as every worker must choose the same method. */
    private static Optional<Objection> toFiles(ParameterValues values, ConvectionCoefficients coefficients)
            throws InvalidProblemException {
        coefficients.check();
        Parameter<String> named = coefficients.hasDiffusionField() ? DIFFUSION_FILE : FLOW_FILE;
        return MultigridLimits.objection(coefficients)
                .map(reason -> new Objection(
                        new InvalidProblemException(
                                named.name(),
                                "is \"" + values.get(named) + "\", but " + reason,
                                "use method PointJacobi, or leave method and levels out"),
                        reason));
    }

    private static Model withoutMultigrid(ParameterValues values, ConvectionEquation equation, Objection objection)
            throws InvalidProblemException {
        if (values.get(METHOD) == ConvectionMethod.Multigrid || values.get(MethodChoice.LEVELS) != 0) {
            throw objection.refused();
        }
        return new ConvectionRelaxationModel(equation, " (" + objection.reason() + ")");
    }
}

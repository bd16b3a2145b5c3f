// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.reaction;

import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import java.util.List;

/**
 * {@code advection-diffusion-reaction}: ozone and the oxygen singlet in a part of the atmosphere, from sunrise on (docs/explanation/problems.md,
 * "advection, diffusion and reaction").
 */
public final class ReactionProblem implements Problem {
    private static final Parameter<Integer> AXES =
            Parameter.integer("axes", "2 for x and z, 3 for x, y and z.", 2, 2, 3);
    private static final Parameter<Integer> POINTS =
            Parameter.integer("points", "Number of points along each axis, boundary included.", 50, 2, 4096);
    private static final Parameter<Integer> STEPS =
            Parameter.integer("steps", "Number of time steps; the first begins at sunrise.", 40, 1, 1_000_000_000);
    private static final Parameter<Double> STEP_LENGTH =
            Parameter.real("stepLength", "Length of a time step, in seconds; a day has 86400.", 180, 1e-6, 86_400);
    private static final Parameter<InitialProfile> PROFILE = Parameter.choice(
            "profile",
            "Concentrations at sunrise: largest in the middle (Bump), or on 3 axes the same for every y (UniformInY).",
            InitialProfile.Bump);
    private static final Parameter<Integer> RESTART = Parameter.integer(
            "restart",
            "Vectors that GMRES keeps in the local solve of a block; each takes 16 bytes for each point.",
            30,
            2,
            200);

    @Override
    public String name() {
        return "advection-diffusion-reaction";
    }

    @Override
    public String summary() {
        return "Ozone chemistry with diffusion and wind on 2 or 3 axes, implicit Euler steps and Newton multisplitting.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(AXES, POINTS, STEPS, STEP_LENGTH, PROFILE, RESTART);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        int axes = values.get(AXES);
        InitialProfile profile = values.get(PROFILE);
        if (axes == 2 && profile == InitialProfile.UniformInY) {
            throw new InvalidProblemException(
                    PROFILE.name(), "is " + profile + ", but there is no y on 2 axes", "use axes 3, or profile Bump");
        }
        ReactionEquation equation = new ReactionEquation(axes, values.get(POINTS), values.get(STEP_LENGTH), profile);
        return new ReactionModel(equation, values.get(STEPS), values.get(RESTART));
    }
}

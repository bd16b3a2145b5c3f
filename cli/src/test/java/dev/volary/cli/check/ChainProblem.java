// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.IndexRange;
import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Preflight;
import dev.volary.solver.Problem;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A chain of unknowns, each reading its two neighbors; its pre-flight bounds are parameters. */
public final class ChainProblem implements Problem {
    private static final Parameter<Integer> N = Parameter.integer("points", "Number of unknowns.", 100, 1, 1_000_000);
    private static final Parameter<Double> LOWER = Parameter.real("lower", "Lower bound of ρ.", 0.9, 0, 10);
    private static final Parameter<Double> UPPER = Parameter.real("upper", "Upper bound of ρ.", 0.9, 0, 10);
    private static final Parameter<Double> SCALE = Parameter.real("scale", "Scale of the residual.", 1, 1e-9, 1e9);
    private static final Parameter<Integer> STEPS = Parameter.integer("steps", "Time steps; 0 for none.", 0, 0, 10);
    private static final Parameter<String> FILE = Parameter.optionalFile("data", "A file that must exist.");

    @Override
    public String name() {
        return "test-chain";
    }

    @Override
    public String summary() {
        return "A chain of unknowns for tests.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(N, LOWER, UPPER, SCALE, STEPS, FILE);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        Optional<String> file = values.find(FILE);
        if (file.isPresent()) {
            inputs.resolve(file.get());
        }
        if (values.get(LOWER) > values.get(UPPER)) {
            throw new InvalidProblemException("lower", "is " + values.get(LOWER) + ", above upper", "lower it");
        }
        return new Chain(values.get(N), values.get(LOWER), values.get(UPPER), values.get(SCALE), values.get(STEPS));
    }

    private record Chain(int n, double lower, double upper, double scale, int steps) implements Model {
        @Override
        public Shape unknowns() {
            return Shape.of(n);
        }

        @Override
        public Decomposition decompose(int blocks) {
            List<Subdomain> parts = new ArrayList<>();
            List<Edge> edges = new ArrayList<>();
            for (int b = 0; b < blocks; b++) {
                long lo = (long) b * n / blocks;
                long hi = (long) (b + 1) * n / blocks;
                parts.add(new Subdomain(b, new IndexRange(lo, hi), 16 * (hi - lo), hi - lo));
                if (b > 0) {
                    edges.add(new Edge(b - 1, b, new IndexRange(lo - 1, lo)));
                    edges.add(new Edge(b, b - 1, new IndexRange(lo, lo + 1)));
                }
            }
            return new Decomposition(unknowns(), parts, edges);
        }

        @Override
        public Block block(Decomposition decomposition, int id, Resources resources) throws InvalidProblemException {
            throw new InvalidProblemException("test-chain", "cannot be computed", "use another problem");
        }

        @Override
        public Optional<TimeStepping> timeStepping() {
            return steps == 0 ? Optional.empty() : Optional.of(new TimeStepping(steps, 1));
        }

        @Override
        public double attainableFloor() {
            return 1.63e-11;
        }

        @Override
        public Optional<Preflight> preflight(Decomposition decomposition) {
            return Optional.of(new Preflight(lower, upper, "use larger blocks"));
        }
    }
}

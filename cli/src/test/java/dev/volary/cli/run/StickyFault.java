// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.run;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import java.util.List;
import java.util.ServiceLoader;

/** Heat in a plate, one block of which takes every process down that iterates it. */
public final class StickyFault implements Problem {
    static final int POISONED = 1;

    private final Problem heat = ServiceLoader.load(Problem.class).stream()
            .filter(provider -> !provider.type().equals(StickyFault.class))
            .map(ServiceLoader.Provider::get)
            .filter(problem -> problem.name().equals("heat2d"))
            .findFirst()
            .orElseThrow();

    @Override
    public String name() {
        return "sticky-fault";
    }

    @Override
    public String summary() {
        return "Heat in a plate, one block of which kills.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return heat.parameters();
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) throws InvalidProblemException {
        return new Poisoned(heat.open(values, inputs));
    }

    private record Poisoned(Model heat) implements Model {
        @Override
        public Shape unknowns() {
            return heat.unknowns();
        }

        @Override
        public Decomposition decompose(int blocks) throws InvalidProblemException {
            return heat.decompose(blocks);
        }

        @Override
        public Block block(Decomposition decomposition, int id, Resources resources) throws InvalidProblemException {
            Block block = heat.block(decomposition, id, resources);
            return id == POISONED ? new Deadly(block) : block;
        }

        @Override
        public void initialHalo(Edge edge, double[] target) {
            heat.initialHalo(edge, target);
        }

        @Override
        public double scale() {
            return heat.scale();
        }

        @Override
        public double attainableFloor() {
            return heat.attainableFloor();
        }
    }

    private record Deadly(Block heat) implements Block {
        @Override
        public double iterate(Halos newest) {
            Runtime.getRuntime().halt(139); // as a crash in native code would
            return 0;
        }

        @Override
        public void copyCore(double[] target) {
            heat.copyCore(target);
        }

        @Override
        public void setCore(double[] core, Halos halos) {
            heat.setCore(core, halos);
        }

        @Override
        public Residual residual(double[] core, Halos recorded) {
            return heat.residual(core, recorded);
        }
    }
}

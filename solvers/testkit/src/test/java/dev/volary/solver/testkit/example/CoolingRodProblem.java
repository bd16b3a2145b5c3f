// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.testkit.example;

import dev.volary.solver.Block;
import dev.volary.solver.Decomposition;
import dev.volary.solver.Edge;
import dev.volary.solver.Halos;
import dev.volary.solver.IndexRange;
import dev.volary.solver.Inputs;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Problem;
import dev.volary.solver.Residual;
import dev.volary.solver.Resources;
import dev.volary.solver.Shape;
import dev.volary.solver.SteppedBlock;
import dev.volary.solver.Subdomain;
import dev.volary.solver.TimeStepping;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A rod that is hot (1) at first and cold (0) at both ends: implicit Euler steps, cut into pieces of the rod. */
public final class CoolingRodProblem implements Problem {
    private static final Parameter<Integer> N = Parameter.integer("points", "Points of the rod.", 40, 1, 100_000);
    private static final Parameter<Integer> STEPS = Parameter.integer("steps", "Number of time steps.", 3, 1, 1000);

    @Override
    public String name() {
        return "cooling-rod";
    }

    @Override
    public String summary() {
        return "Heat conduction in a rod, by implicit Euler steps and point Jacobi.";
    }

    @Override
    public List<Parameter<?>> parameters() {
        return List.of(N, STEPS);
    }

    @Override
    public Model open(ParameterValues values, Inputs inputs) {
        return new RodModel(values.get(N), new TimeStepping(values.get(STEPS), 1));
    }

    private record RodModel(int n, TimeStepping time) implements Model {
        @Override
        public Shape unknowns() {
            return Shape.of(n);
        }

        @Override
        public Optional<TimeStepping> timeStepping() {
            return Optional.of(time);
        }

        @Override
        public Decomposition decompose(int blocks) throws InvalidProblemException {
            if (blocks < 1 || blocks > n) {
                throw new InvalidProblemException(
                        "blocks", "is " + blocks, "use 1 to " + n + ", a piece needs a point");
            }
            List<Subdomain> parts = new ArrayList<>();
            List<Edge> edges = new ArrayList<>();
            for (int b = 0; b < blocks; b++) {
                long lo = (long) b * n / blocks;
                long hi = (b + 1L) * n / blocks;
                parts.add(new Subdomain(b, new IndexRange(lo, hi), 24 * (hi - lo), hi - lo));
                if (b > 0) {
                    edges.add(new Edge(b - 1, b, new IndexRange(lo - 1, lo)));
                    edges.add(new Edge(b, b - 1, new IndexRange(lo, lo + 1)));
                }
            }
            return new Decomposition(unknowns(), parts, edges);
        }

        @Override
        public Block block(Decomposition decomposition, int id, Resources resources) {
            return new Piece(decomposition.parts().get(id).core().size(), id == 0, id == decomposition.blocks() - 1);
        }

        @Override
        public double scale() {
            return 1;
        }

        @Override
        public double attainableFloor() {
            return 1e-14;
        }
    }

    /** Some points, with one at either end for the halos. The equations are 3u − left − right = u of the step before. */
    private static final class Piece implements SteppedBlock {
        private final int points;
        private final boolean first;
        private final boolean last;
        private final double[] committed;
        private double[] u;
        private double[] next;
        private int step = 1;

        Piece(int points, boolean first, boolean last) {
            this.points = points;
            this.first = first;
            this.last = last;
            this.committed = new double[points + 2];
            Arrays.fill(committed, 1);
            this.u = committed.clone();
            this.next = new double[points + 2];
        }

        @Override
        public double iterate(Halos newest) {
            surround(u, newest);
            double largest = 0;
            for (int i = 1; i <= points; i++) {
                double defect = defect(u, i);
                next[i] = u[i] + defect / 3;
                largest = Math.max(largest, Math.abs(defect));
            }
            double[] old = u;
            u = next;
            next = old;
            return largest;
        }

        @Override
        public Residual residual(double[] core, Halos recorded) {
            double[] x = new double[points + 2];
            System.arraycopy(core, 0, x, 1, points);
            surround(x, recorded);
            Residual sum = Residual.ZERO;
            for (int i = 1; i <= points; i++) {
                double defect = defect(x, i);
                sum = sum.combine(new Residual(Math.abs(defect), defect * defect, 0));
            }
            return sum;
        }

        private void surround(double[] x, Halos halos) {
            x[0] = first ? 0 : halos.values(0)[0];
            x[points + 1] = last ? 0 : halos.values(halos.size() - 1)[0];
        }

        private double defect(double[] x, int i) {
            return committed[i] + x[i - 1] + x[i + 1] - 3 * x[i];
        }

        @Override
        public int step() {
            return step;
        }

        @Override
        public void commit(double[] certified, Halos halos) {
            System.arraycopy(certified, 0, committed, 1, points);
            setCore(certified, halos);
            step++;
        }

        @Override
        public void copyCore(double[] target) {
            System.arraycopy(u, 1, target, 0, points);
        }

        @Override
        public void setCore(double[] core, Halos halos) {
            System.arraycopy(core, 0, u, 1, points);
        }

        @Override
        public void save(DataOutput out) throws IOException {
            out.writeInt(step);
            for (int i = 1; i <= points; i++) {
                out.writeDouble(committed[i]);
            }
        }

        @Override
        public void load(DataInput in) throws IOException {
            step = in.readInt();
            for (int i = 1; i <= points; i++) {
                committed[i] = in.readDouble();
            }
        }
    }
}
